"""The rules, each with the row of the study that it closes, and how to take it out."""
from dataclasses import dataclass, field


@dataclass
class Rule:
    row: str
    name: str
    file: str
    old: str
    new: str
    # Packages whose unit tests are asked too, with filters.
    tests: dict = field(default_factory=dict)


COPY = "analysis/obligations/src/copy/"
KIND = "analysis/obligations/src/kind/"
LOWERING = "analysis/obligations/src/lowering/"
DISCIPLINE = "analysis/discipline/src/"
TRUSTED = "analysis/ide/src/proof/trusted.rs"

RULES = [
    Rule("01", "arguments at a loop head are read after others ran", COPY + "loops.rs",
         "filter(|(name, _)| read.contains(name));", "filter(|(name, _)| read.contains(name) && name.as_str().is_empty());"),
    Rule("11", "an edge from loop to loop does not distrust outputs", COPY + "loops.rs",
         "if !from.is_some_and(|from| self.share_yielding_loop(from, head)) {", "if from.is_none() || !self.in_yielding_loop {"),
    Rule("02", "arguments of parallel arms are read when the arm runs", COPY + "calls.rs",
         "if found.len() > 1 {", "if found.len() > 1_000 {"),
    Rule("13", "old of a callee is the state after its action", COPY + "calls.rs",
         "self.yield_point_since(&callees, site.place, (after, at_call));",
         "drop(at_call);\n        self.yield_point(&callees, site.place, after);"),
    Rule("12", "what a later arm hands out counts early", COPY + "calls.rs",
         "let held = self.held_before(site, running.nth);", "let held = self.availability().after_call(site.call).to_vec();"),
    Rule("19", "what an earlier arm took in still counts", COPY + "calls.rs",
         "let held = self.held_before(site, first.nth);", "let held = self.availability().before_call(site.call).to_vec();"),
    Rule("18", "steps without body are not compared with anything", KIND + "machine_steps.rs",
         "code.entry(action)", "let action = Name::new(format!(\"{action}?\"));\n            code.entry(action)"),
    Rule("18", "steps without body may break yield invariants", KIND + "step_noninterference.rs",
         "steps.is_step_at(name, layer) && is_read(world, layer, &written)", "steps.is_step_at(name, layer) && is_read(world, layer, &written) && false"),
    Rule("18", "steps without body may break yield statements", KIND + "step_noninterference.rs",
         "out.extend(waiting_at(scene, at, layer));", "_ = waiting_at(scene, at, layer);"),
    Rule("18", "steps without body may break global invariants", KIND + "global_noninterference.rs",
         "(exists || steps.is_step_at(name, layer))", "(exists || (steps.is_step_at(name, layer) && false))"),
    Rule("B1", "movers are not compared with steps without body", KIND + "pairs.rs",
         "step || self.layers.overlaps(other.layers)", "(step && false) || self.layers.overlaps(other.layers)"),
    Rule("c1", "the gate of a refining action is not asked", KIND + "action_refinement.rs",
         "if a.action.has_asserts {", "if a.action.has_asserts && a.ins.len() > 1_000 {"),
    Rule("c2", "the gate of an inlined action is dropped", LOWERING + "calls.rs",
         "self.lowering.clauses(&specs, ClauseKind::Asserts, &env, true) {", "self.lowering.clauses(&specs, ClauseKind::Asserts, &env, true).into_iter().take(0) {"),
    Rule("09", "different type parameters are different types", LOWERING + "rigid.rs",
         "if is_rigid(left) || is_rigid(right) {", "if false && (is_rigid(left) || is_rigid(right)) {"),
    Rule("07", "a free call is not listed", LOWERING + "calls.rs",
         "self.lowering.on_faith(FaithKind::FreeCall, &arm.callee, place);", ""),
    Rule("15", "a call of Assume is not listed", "analysis/obligations/src/faith.rs",
         'const BELIEVERS: &[&str] = &["Assume"];', "const BELIEVERS: &[&str] = &[];"),
    Rule("15", "a free loop invariant is not listed", LOWERING + "statements.rs",
         "self.lowering.on_faith(FaithKind::FreeInvariant, about, place);", "_ = (about, place);"),
    Rule("b03", "the where clause of a result is not listed", LOWERING + "calls.rs",
         "self.lowering.on_faith(FaithKind::WhereClause, &local.name, place);", "_ = place;"),
    Rule("b03", "the where clause of a local is not listed", LOWERING + "statements.rs",
         "self.lowering.on_faith(FaithKind::WhereClause, &local.name, place);", "_ = place;", {"civl-ide": "trusted"}),
    Rule("b03", "the where clause of a global is not listed", LOWERING + "statements.rs",
         "self.on_faith(FaithKind::WhereClause, name, place);", "_ = place;", {"civl-ide": "trusted"}),
    Rule("15", "a contract without body is not listed", "analysis/obligations/src/faith.rs",
         "self.on_faith(FaithKind::Contract, &callee.name, place);", "_ = place;", {"civl-ide": "trusted"}),
    Rule("15", "a free clause is not listed", LOWERING + "calls.rs",
         "self.on_faith(FaithKind::FreeClause, &sig.name, map.clause(nth));", "_ = (sig, map, nth);", {"civl-ide": "trusted"}),
    Rule("17", "recursion through inlined functions is not seen", TRUSTED,
         "FuncKind::Axiom | FuncKind::Inline | FuncKind::Define => true,", "FuncKind::Axiom => true,\n            FuncKind::Inline | FuncKind::Define => false,"),
    Rule("B2", "the mover type of a procedure without body is not listed", TRUSTED,
         "let mover = sig.mover.map(", "let mover = sig.mover.filter(|_| false).map("),
    Rule("03", "a claim that nobody asks is passed over", "analysis/ide/src/proof/claims.rs",
         "filter(|claim| claim.reached)", "filter(|claim| claim.reached && false)", {"civl-ide": "claims"}),
    Rule("03", "pure calls add no layer", DISCIPLINE + "claims/body.rs",
         "let highest = LayerSet::new(vec![range.high().min(top)]);", "let highest = LayerSet::new(vec![range.high().min(top)].into_iter().filter(|_| false).collect());"),
    Rule("04", "assertions add no layer", DISCIPLINE + "claims/body.rs",
         "if self.sig.is_yield_procedure() { written.clone() } else { LayerSet::default() }", "if self.sig.is_yield_procedure() && written.as_slice().len() > 9 { written.clone() } else { LayerSet::default() }"),
    Rule("03", "what a call requires adds no layer", DISCIPLINE + "claims/body.rs",
         "if !required.is_empty() {\n                    out.push(claim(ClaimKind::Precondition", "if false {\n                    out.push(claim(ClaimKind::Precondition",
         {"civl-discipline": "claims"}),
    Rule("06", "ghost writes are private to the async check", DISCIPLINE + "yields/labels.rs",
         "AsyncRule::Written => AsyncLabel::of(!written_globals(exprs, arm).is_empty(), false),", "AsyncRule::Written => AsyncLabel::of(false && !written_globals(exprs, arm).is_empty(), false),"),
    Rule("10", "mover procedures start no threads", DISCIPLINE + "yields/labels.rs",
         "AsyncRule::Summary => AsyncLabel::of(modifies(), starts_threads(db, program, step)),", "AsyncRule::Summary => AsyncLabel::of(modifies(), false && starts_threads(db, program, step)),"),
    Rule("08", "old of a global is allowed in code", DISCIPLINE + "access.rs",
         "} else if in_old && access.is_executed() {", "} else if false && in_old && access.is_executed() {"),
    Rule("08", "ghost code at layer 0 may read old states", DISCIPLINE + "access.rs",
         "range.low() == range.high() && range.low() > Layer::ZERO;", "range.low() == range.high();"),
    Rule("14", "pure calls on globals at layer 0 are private", DISCIPLINE + "yields/labels.rs",
         "LabelRule::Access if layer == Layer::ZERO && accesses(exprs, arm) > 0 => Label::NonMover,", "LabelRule::Access if layer == Layer::ZERO && accesses(exprs, arm) > 99 => Label::NonMover,"),
    Rule("14", "one pure call at layer 0 touches several globals", DISCIPLINE + "calls.rs",
         "if *layer == Layer::ZERO && accesses(scope.exprs, arm) > 1 {", "if *layer == Layer::ZERO && accesses(scope.exprs, arm) > 99 {"),
    Rule("05", "a second body is ignored", DISCIPLINE + "procedures.rs",
         "for other in others {", "for other in others.iter().take(0) {"),
    Rule("M1", "a measure ends the invariant of a loop", "analysis/hir/src/blocks.rs",
         "Stmt::Assert { .. } | Stmt::Assume { .. } | Stmt::Measure { .. } => true,", "Stmt::Assert { .. } | Stmt::Assume { .. } => true,\n        Stmt::Measure { .. } => false,"),
    Rule("T1", "old of a local counts as fixed", DISCIPLINE + "termination/counting.rs",
         "let in_old = in_old || matches!(expr, Expr::Old(_));", "if matches!(expr, Expr::Old(_)) {\n            continue;\n        }"),
    Rule("T2", "primitives change no bound", DISCIPLINE + "termination/counting.rs",
         "|| hir::modified_root(code.body, arm).as_ref().is_some_and(is_var)", "|| (false && hir::modified_root(code.body, arm).as_ref().is_some_and(is_var))"),
    Rule("c3", "permissions are held whatever the layer", DISCIPLINE + "linear/availability.rs",
         "Arc::new(whole.availability.meet(&here.availability))", "_ = here;\n    Arc::clone(&whole.availability)"),
    Rule("c3", "the flow of single layers is not checked", DISCIPLINE + "linear/availability.rs",
         "for problem in &flow(db, program, decl, Some(layer)).problems {", "for problem in flow(db, program, decl, Some(layer)).problems.iter().take(0) {", {"civl-discipline": "linear"}),
    Rule("12", "results count before the end of a parallel call", DISCIPLINE + "linear/flow.rs",
         "moment.remove(var);", "_ = var;", {"civl-discipline": "linear"}),
    Rule("b05", "a body that gave way is not reported", "analysis/hir/src/check.rs",
         "if has_body && is_asked {", "if has_body && is_asked && false {"),
    Rule("16", "an implementation loses the layers of its formals", "analysis/hir/src/lower/queries.rs",
         "Param { linear: want.linear, layers: want.layers, hide: want.hide, ..have.clone() };", "Param { linear: want.linear, layers: have.layers, hide: want.hide, ..have.clone() };"),
    Rule("16", "an implementation loses the linearity of its formals", "analysis/hir/src/lower/queries.rs",
         "Param { linear: want.linear, layers: want.layers, hide: want.hide, ..have.clone() };", "Param { linear: have.linear, layers: want.layers, hide: want.hide, ..have.clone() };",
         {"civl-hir": ""}),
    Rule("b01", "type parameters of an implementation go by name", "analysis/hir/src/lower/queries.rs",
         "lowering.rename_type_params(&own, &owner.type_params);", "_ = (own, &owner.type_params);"),
    Rule("b04", "what is ignored can be used", "analysis/hir/src/scope.rs",
         "!entry.ignored && !gives_way(entry.decl)", "!gives_way(entry.decl)"),
]
