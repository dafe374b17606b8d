"""Small changes of programs, chosen at random: statements, expressions, layers, kinds, arms, clauses, bodies, attributes.

Each change takes the tree in place and says whether it did something. What it makes need not be legal: whoever asks for a verdict finds out.
"""
import declarations_changed as decl
import statements_changed as stmt


# How much more often a change is tried that a seed names (`// favour: leaf, layer`).
FAVOUR = 6


def mutate(declarations, rng, count=1, favour=()):
    """Changes a program `count` times; returns the names of the changes."""
    done = []
    weights = [w * FAVOUR if c.__name__ in favour else w for c, w in WEIGHTED] if favour else WEIGHTS
    for _ in range(count * 6):
        if len(done) >= count:
            break
        change = rng.choices(CHANGES, weights)[0]
        if change(declarations, rng):
            done.append(change.__name__)
    return done


WEIGHTED = [
    (stmt.delete, 8), (stmt.duplicate, 6), (stmt.swap, 5), (stmt.move, 5), (stmt.insert_assert, 5), (stmt.insert_call, 10), (stmt.insert_assign, 3),
    (stmt.wrap, 3), (stmt.to_arms, 4), (stmt.swap_arms, 3), (stmt.add_arm, 4), (stmt.split_arms, 2), (stmt.toggle_async, 3), (stmt.loop_to_goto, 2),
    (stmt.goto_more, 2), (stmt.insert_measure, 2), (stmt.lone_cr, 0.4), (stmt.free_call, 0.4), (stmt.faith_call, 0.5), (stmt.call_layers, 4),
    (stmt.loop_invariant, 4), (stmt.loop_yields, 2), (stmt.free_invariant, 0.4), (stmt.insert_ghost, 4), (stmt.inline_lemma, 2),
    (decl.leaf, 22), (decl.shared_argument, 14), (decl.old_in_code, 2), (decl.operator, 5), (decl.side, 2), (decl.layer, 9), (decl.mover, 4),
    (decl.linear_kind, 4), (decl.hide, 1), (decl.split_implementation, 3),
    (decl.second_implementation, 1), (decl.drop_body, 2), (decl.drop_clause, 4), (decl.add_clause, 6), (decl.free_clause, 0.6), (decl.assert_to_asserts, 3),
    (decl.add_asserts, 3), (decl.outline_action, 2), (decl.chain_action, 2), (decl.add_attribute, 1), (decl.where_clause, 0.8), (decl.swap_type_params, 2),
    (decl.more_type_params, 3), (decl.recursion, 1.5), (decl.drop_declaration, 1), (decl.local_layer, 2), (decl.body_to_machine, 2), (decl.modifies, 0.5),
    (decl.duplicate_declaration, 1),
]
CHANGES = [change for change, _ in WEIGHTED]
WEIGHTS = [weight for _, weight in WEIGHTED]
