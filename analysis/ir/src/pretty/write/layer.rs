//! Writing programs of a layer.

use std::fmt::Write as _;

use super::Writer;
use crate::{
    layer::{
        Act, Action, Arm, Call, Condition, Excluded, Formal, Function, Global, Held, Item,
        LayerProgram, Next, Node, Procedure, Spec, Step, Wishes, Words,
    },
    site::Site,
    symbol::Symbol,
    term::{Term, Var},
};

/// The text of a program; without sites if they are not wanted.
pub(in crate::pretty) fn program(program: &LayerProgram, sites: bool) -> String {
    let mut writer = Layer { writer: Writer::new(), sites };
    writer.program(program);
    writer.writer.out
}

struct Layer {
    writer: Writer,
    sites: bool,
}

impl Layer {
    fn program(&mut self, program: &LayerProgram) {
        let roots = program.terms();
        let definitions = program.functions.values().filter_map(|it| it.definition.as_ref());
        let params = definitions.flat_map(|it| &it.params);
        let vars = program.vars().into_iter().chain(params).cloned().collect();
        let funcs = program.functions.values().map(|it| it.symbol.clone()).collect();
        self.push(&format!("(layer {})\n", program.layer));
        self.writer.declare_with(&roots, &program.signature.datatypes, (vars, funcs));
        self.symbols("(vectors", &program.vectors);
        self.push("\n");
        for (name, carrier) in &program.sorts {
            self.push("(sort ");
            self.writer.symbol(name.as_str());
            self.push(if carrier.made_new { " new" } else { " given" });
            self.symbols(" (constants", &carrier.constants);
            self.push(")\n");
        }
        program.functions.values().for_each(|function| self.function(function));
        for axiom in &program.axioms {
            self.writer.define(axiom);
            self.push("(axiom ");
            self.writer.term(axiom);
            self.push(")\n");
        }
        for group in &program.distinct {
            self.symbols("(differ", group);
            self.push("\n");
        }
        program.globals.iter().for_each(|global| self.global(global));
        for fact in &program.narrowed {
            self.writer.define(fact);
            self.push("(narrowed ");
            self.writer.term(fact);
            self.push(")\n");
        }
        program.actions.iter().for_each(|action| self.action(action));
        program.procedures.iter().for_each(|procedure| self.procedure(procedure));
        let roots = program.roots.iter().map(|id| id.0);
        self.numbers("(roots", roots);
        self.push("\n");
        self.wishes(&program.wishes);
        program.excluded.iter().for_each(|row| self.excluded(row));
    }

    fn push(&mut self, text: &str) {
        self.writer.out.push_str(text);
    }

    fn site(&mut self, site: Site) {
        if self.sites {
            let _ = write!(self.writer.out, " {}", site.0);
        } else {
            self.push(" _");
        }
    }

    fn name(&mut self, head: &str, name: &Symbol) {
        self.push(head);
        self.writer.symbol(name.as_str());
    }

    fn symbols<'a>(&mut self, head: &str, names: impl IntoIterator<Item = &'a Symbol>) {
        self.push(head);
        names.into_iter().for_each(|name| self.name(" ", name));
        self.push(")");
    }

    fn numbers(&mut self, head: &str, numbers: impl IntoIterator<Item = u32>) {
        self.push(head);
        for number in numbers {
            let _ = write!(self.writer.out, " {number}");
        }
        self.push(")");
    }

    fn var(&mut self, var: &Var) {
        let token = self.writer.vars.get(var).cloned().unwrap_or_default();
        self.writer.symbol(&token);
    }

    fn vars(&mut self, head: &str, vars: &[Var]) {
        self.push(head);
        for var in vars {
            self.push(" ");
            self.var(var);
        }
        self.push(")");
    }

    fn terms(&mut self, head: &str, terms: &[Term]) {
        self.push(head);
        self.writer.terms(terms);
        self.push(")");
    }

    fn function(&mut self, function: &Function) {
        if let Some(definition) = &function.definition {
            self.writer.define(&definition.body);
        }
        self.push("(function ");
        let token = self.writer.funcs.get(&function.symbol).cloned().unwrap_or_default();
        self.writer.symbol(&token);
        if let Some(intrinsic) = function.intrinsic {
            self.push(&format!(" (intrinsic {})", intrinsic.name()));
        }
        if let Some(definition) = &function.definition {
            self.vars(" (is (", &definition.params);
            self.push(" ");
            self.writer.term(&definition.body);
            self.push(")");
        }
        self.push(")\n");
    }

    fn held(&mut self, holds: &[Held]) {
        for Held { domain, set } in holds {
            self.name(" (", domain);
            self.push(" ");
            self.writer.term(set);
            self.push(")");
        }
    }

    fn global(&mut self, global: &Global) {
        global.holds.iter().for_each(|held| self.writer.define(&held.set));
        self.push("(global ");
        self.var(&global.var);
        self.push(if global.above { " above" } else { " hidden" });
        self.push(if global.introduced { " ghost" } else { " real" });
        self.held(&global.holds);
        self.push(")\n");
    }

    fn condition(&mut self, head: &str, condition: &Condition) {
        let Condition { term, id, why, site } = condition;
        self.push(&format!("{head}{} {} ", why.word(), id.0));
        self.writer.term(term);
        self.site(*site);
        self.push(")");
    }

    fn conditions(&mut self, head: &str, conditions: &[Condition]) {
        self.push(head);
        conditions.iter().for_each(|condition| self.condition(" (", condition));
        self.push(")");
    }

    fn define_all(&mut self, conditions: &[&[Condition]], nodes: &[Node]) {
        for condition in conditions.iter().copied().flatten() {
            self.writer.define(&condition.term);
        }
        for term in nodes.iter().flat_map(|node| &node.steps).flat_map(Step::terms) {
            self.writer.define(term);
        }
    }

    fn action(&mut self, action: &Action) {
        self.define_all(&[&action.gate, &action.requires], &action.nodes);
        self.name("(action ", &action.name);
        self.site(action.site);
        self.push(&format!(" {}", action.label.letter()));
        self.vars(" (in", &action.ins);
        self.vars(" (out", &action.outs);
        self.vars(" (local", &action.locals);
        self.symbols(" (reads", &action.footprint.reads);
        self.symbols(" (writes", &action.footprint.writes);
        self.conditions(" (gate", &action.gate);
        self.conditions(" (requires", &action.requires);
        self.nodes(&action.nodes);
        self.push(")\n");
    }

    fn formals(&mut self, head: &str, formals: &[Formal]) {
        self.push(head);
        for formal in formals {
            self.push(" (");
            self.var(&formal.var);
            self.push(&format!(" {}", formal.linear.word()));
            self.held(&formal.holds);
            self.push(")");
        }
        self.push(")");
    }

    fn procedure(&mut self, procedure: &Procedure) {
        for formal in procedure.ins.iter().chain(&procedure.outs) {
            formal.holds.iter().for_each(|held| self.writer.define(&held.set));
        }
        self.define_all(&[&procedure.requires, &procedure.ensures], &procedure.nodes);
        self.name("(procedure ", &procedure.name);
        self.site(procedure.site);
        self.formals(" (in", &procedure.ins);
        self.formals(" (out", &procedure.outs);
        self.vars(" (local", &procedure.locals);
        self.conditions(" (requires", &procedure.requires);
        self.conditions(" (ensures", &procedure.ensures);
        if let Some(mover) = procedure.mover {
            self.push(&format!(" (mover {})", mover.letter()));
        }
        match &procedure.spec {
            None => {}
            Some(Spec::Skip) => self.push(" (skip)"),
            Some(Spec::Action { action, ins, outs }) => {
                self.push(&format!(" (spec {}", action.0));
                self.numbers(" (in", ins.iter().copied());
                self.numbers(" (out", outs.iter().copied());
                self.push(")");
            }
        }
        if procedure.marked {
            self.push(" (marked)");
        }
        self.nodes(&procedure.nodes);
        self.push(")\n");
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.push("\n  (node");
            self.site(node.site);
            match &node.next {
                Next::Return => self.push(" (return)"),
                Next::Goto(targets) => self.numbers(" (goto", targets.iter().map(|it| it.0)),
            }
            for step in &node.steps {
                self.push("\n    ");
                self.step(step);
            }
            self.push(")");
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Assume(term, site) => {
                self.push("(assume ");
                self.writer.term(term);
                self.site(*site);
                self.push(")");
            }
            Step::Assert(condition) => self.condition("(check ", condition),
            Step::Assign(pairs, site) => {
                self.push("(assign");
                self.site(*site);
                for (var, term) in pairs {
                    self.push(" (");
                    self.var(var);
                    self.push(" ");
                    self.writer.term(term);
                    self.push(")");
                }
                self.push(")");
            }
            Step::Havoc(vars, site) => {
                self.push("(havoc");
                self.site(*site);
                self.vars("", vars);
            }
            Step::Fresh(var, site) => {
                self.push("(fresh ");
                self.var(var);
                self.site(*site);
                self.push(")");
            }
            Step::Act(act) => self.act(act),
            Step::Call(call) => self.call(call),
            Step::Par(arms, site) => {
                self.push("(par");
                self.site(*site);
                for arm in arms {
                    self.push(" ");
                    match arm {
                        Arm::Act(act) => self.act(act),
                        Arm::Call(call) => self.call(call),
                        Arm::Claims(claims) => self.conditions("(claims", claims),
                    }
                }
                self.push(")");
            }
            Step::Spawn { procedure, ins, site } => {
                self.push(&format!("(spawn {}", procedure.0));
                self.site(*site);
                self.terms("", ins);
            }
            Step::Yield(claims, site) => {
                self.push("(yield");
                self.site(*site);
                self.conditions("", claims);
            }
            Step::Event { name, when, args, site } => {
                self.name("(event ", name);
                self.site(*site);
                self.push(" ");
                self.writer.term(when);
                self.terms("", args);
            }
        }
    }

    fn act(&mut self, act: &Act) {
        self.push(&format!("(act {}", act.action.0));
        self.site(act.site);
        self.terms(" (in", &act.ins);
        self.vars(" (out", &act.outs);
        self.vars(" (hidden", &act.hidden);
        self.push(")");
    }

    fn call(&mut self, call: &Call) {
        self.push(&format!("(call {}", call.procedure.0));
        self.site(call.site);
        self.terms(" (in", &call.ins);
        self.vars(" (out", &call.outs);
        self.push(")");
    }

    fn wishes(&mut self, wishes: &Wishes) {
        let numbers = [
            ("init", wishes.init.map(|id| id.0)),
            ("threads", wishes.threads),
            ("calls", wishes.calls),
        ];
        for (word, number) in numbers {
            if let Some(number) = number {
                self.push(&format!("(wish {word} {number})\n"));
            }
        }
        for (sort, size) in &wishes.sizes {
            self.name("(size ", sort);
            self.push(&format!(" {size})\n"));
        }
    }

    fn excluded(&mut self, row: &Excluded) {
        let (kind, name) = match &row.item {
            Item::Program => ("program", None),
            Item::Procedure(name) => ("procedure", Some(name)),
            Item::Action(name) => ("action", Some(name)),
            Item::Function(name) => ("function", Some(name)),
        };
        self.push(&format!("(excluded {kind} "));
        if let Some(name) = name {
            self.writer.symbol(name.as_str());
            self.push(" ");
        }
        self.writer.string(&row.why);
        self.site(row.site);
        self.push(")\n");
    }
}
