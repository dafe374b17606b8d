//! Text form of bodies and blocks, for tests and for `civl dump --at cfg`.
//!
//! The text is the language again, with every operator in parentheses and inferred type arguments of
//! applications in angle brackets, so that two bodies with the same text mean the same.

use std::fmt::Write as _;

use base::{DeclId, Name, Program};

use crate::{
    Arm, Attr, AttrArg, Attrs, Body, BoundId, Cfg, Command, Db, Expr, ExprId, Exprs, LayerSet,
    Literal, Local, Quantifier, Step, Stmt, StmtId, Target, Transfer, Trigger, Ty, UnaryOp, VarRef,
    Visibility, body, cfg, operator_text,
};

/// Names for the variables of an expression.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    pub exprs: &'a Exprs,
    pub locals: &'a [Local],
}

/// The blocks of a declaration's body as text; nothing if it has none.
pub fn cfg_text(db: &dyn Db, program: Program, decl: DeclId) -> Option<String> {
    let body = body(db, program, decl)?;
    let cfg = cfg(db, program, decl)?;
    let mut out = format!("{}\n", body.proc);
    for local in &body.locals {
        let layers = local.layers.map(|range| format!(" {range}")).unwrap_or_default();
        let _ = writeln!(out, "  {:?} {}: {}{layers}", local.kind, local.name, local.ty);
    }
    for id in cfg.block_ids() {
        block_text(&body, &cfg, id, &mut out);
    }
    Some(out)
}

fn block_text(body: &Body, cfg: &Cfg, id: crate::BlockId, out: &mut String) {
    let printer = Printer { exprs: &body.exprs, locals: &body.locals };
    let block = cfg.block(id);
    let _ = writeln!(out, "{}:", block.label);
    if let Some(head) = &block.head {
        let yields = match &head.yields {
            None => "no".to_owned(),
            Some(yields) if yields.layers.is_empty() => "all layers".to_owned(),
            Some(yields) => format!("up to{}", layers(&yields.layers)),
        };
        let _ = writeln!(out, "  -- loop, yields: {yields}");
        for call in &head.invariant_calls {
            let _ = writeln!(out, "  -- {}", printer.stmt(body.stmt(*call)));
        }
    }
    for command in &block.commands {
        let text = match command {
            Command::Stmt(id) => printer.stmt(body.stmt(*id)),
            Command::Guard { cond, negated: false, .. } => format!("when {}", printer.expr(*cond)),
            Command::Guard { cond, negated: true, .. } => format!("unless {}", printer.expr(*cond)),
        };
        let _ = writeln!(out, "  {text}");
    }
    let end = match &block.transfer {
        Transfer::Return(_) => "return".to_owned(),
        Transfer::Goto(targets) => {
            let labels = targets.iter().map(|it| cfg.block(*it).label.to_string());
            format!("goto {}", labels.collect::<Vec<_>>().join(", "))
        }
    };
    let _ = writeln!(out, "  {end}");
}

fn layers(set: &LayerSet) -> String {
    let numbers: Vec<String> = set.as_slice().iter().map(|layer| layer.to_string()).collect();
    if numbers.is_empty() { String::new() } else { format!(" {{:layer {}}}", numbers.join(", ")) }
}

fn type_args(types: &[Ty]) -> String {
    if types.is_empty() {
        return String::new();
    }
    format!("<{}>", types.iter().map(Ty::to_string).collect::<Vec<_>>().join(", "))
}

impl Printer<'_> {
    /// An expression as text.
    pub fn expr(self, id: ExprId) -> String {
        match self.exprs.expr(id) {
            Expr::Missing => "?".to_owned(),
            Expr::Literal(literal) => literal_text(literal),
            Expr::Local(id) => {
                self.locals.get(id.index()).map_or("?".to_owned(), |it| it.name.to_string())
            }
            Expr::Global(name) | Expr::Const(name) => name.to_string(),
            Expr::Bound(id) => self.exprs.bound(*id).name.to_string(),
            Expr::Call { func, type_args: types, args } => {
                format!("{func}{}({})", type_args(types), self.list(args))
            }
            Expr::Old(arg) => format!("old({})", self.expr(*arg)),
            Expr::Quant { .. } | Expr::Lambda { .. } | Expr::Let { .. } => self.binder(id),
            Expr::Ite { cond, then, other } => {
                let (cond, then, other) = (self.expr(*cond), self.expr(*then), self.expr(*other));
                format!("(if {cond} then {then} else {other})")
            }
            Expr::Select { map, indices, .. } => {
                format!("{}[{}]", self.expr(*map), self.list(indices))
            }
            Expr::Store { map, indices, value, .. } => {
                format!("{}[{} := {}]", self.expr(*map), self.list(indices), self.expr(*value))
            }
            Expr::Field { base, field } => format!("{}->{field}", self.expr(*base)),
            Expr::FieldUpdate { base, field, value } => {
                format!("{}->({field} := {})", self.expr(*base), self.expr(*value))
            }
            Expr::Is { base, ctor } => format!("({} is {ctor})", self.expr(*base)),
            Expr::Unary { op: UnaryOp::Not, arg } => format!("!{}", self.expr(*arg)),
            Expr::Unary { op: UnaryOp::Neg, arg } => format!("-{}", self.expr(*arg)),
            Expr::Binary { op, lhs, rhs } => {
                format!("({} {} {})", self.expr(*lhs), operator_text(*op), self.expr(*rhs))
            }
            Expr::Coerce { arg, ty } => format!("({} : {ty})", self.expr(*arg)),
            Expr::Convert { arg } => format!("{}({})", self.exprs.ty(id), self.expr(*arg)),
            Expr::Extract { base, high, low } => format!("{}[{high}:{low}]", self.expr(*base)),
        }
    }

    fn list(self, exprs: &[ExprId]) -> String {
        exprs.iter().map(|id| self.expr(*id)).collect::<Vec<_>>().join(", ")
    }

    fn binder(self, id: ExprId) -> String {
        let expr = self.exprs.expr(id);
        if let Expr::Quant { quantifier, type_params, bound, triggers, attrs, body } = expr {
            let keyword = match quantifier {
                Quantifier::Forall => "forall",
                Quantifier::Exists => "exists",
            };
            let triggers: String = triggers.iter().map(|it| self.trigger(it)).collect();
            let head = self.head(keyword, type_params, bound);
            return format!("({head} ::{}{triggers} {})", self.attrs(attrs), self.expr(*body));
        }
        if let Expr::Lambda { type_params, bound, attrs, body } = expr {
            let head = self.head("lambda", type_params, bound);
            return format!("({head} ::{} {})", self.attrs(attrs), self.expr(*body));
        }
        let Expr::Let { bound, values, body, .. } = expr else { return String::new() };
        let names: Vec<String> =
            bound.iter().map(|it| self.exprs.bound(*it).name.to_string()).collect();
        format!("(var {} := {}; {})", names.join(", "), self.list(values), self.expr(*body))
    }

    fn head(self, keyword: &str, type_params: &[Name], bound: &[BoundId]) -> String {
        let params: Vec<String> = type_params.iter().map(Name::to_string).collect();
        let params =
            if params.is_empty() { String::new() } else { format!("<{}>", params.join(", ")) };
        let vars = bound.iter().map(|id| self.exprs.bound(*id));
        let vars: Vec<String> = vars.map(|it| format!("{}: {}", it.name, it.ty)).collect();
        format!("{keyword}{params} {}", vars.join(", "))
    }

    fn trigger(self, trigger: &Trigger) -> String {
        let negative = if trigger.negative { ":nopats " } else { "" };
        format!(" {{{negative}{}}}", self.list(&trigger.exprs))
    }

    fn attrs(self, attrs: &Attrs) -> String {
        attrs.0.iter().map(|attr| self.attr(attr)).collect()
    }

    fn attr(self, attr: &Attr) -> String {
        let arg = |arg: &AttrArg| match arg {
            AttrArg::String(text) => format!("\"{text}\""),
            AttrArg::Expr(id) => self.expr(*id),
        };
        let args = attr.args.iter().map(arg).collect::<Vec<_>>().join(", ");
        let space = if args.is_empty() { "" } else { " " };
        format!(" {{:{}{space}{args}}}", attr.name)
    }

    /// A simple statement as text; of a structured one its head.
    pub fn stmt(self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Error => "?".to_owned(),
            Stmt::Assign { targets, values, attrs } => {
                let targets: Vec<String> = targets.iter().map(|it| self.target(it)).collect();
                format!("{} :={} {}", targets.join(", "), self.attrs(attrs), self.list(values))
            }
            Stmt::Unpack { ctor, targets, value, .. } => {
                format!("{ctor}({}) := {}", self.vars(targets), self.expr(*value))
            }
            Stmt::Assert { expr, layers: set, attrs, .. } => {
                format!("assert{}{} {}", layers(set), self.attrs(attrs), self.expr(*expr))
            }
            Stmt::Assume { expr, layers: set, attrs, .. } => {
                format!("assume{}{} {}", layers(set), self.attrs(attrs), self.expr(*expr))
            }
            Stmt::Havoc { targets } => format!("havoc {}", self.vars(targets)),
            Stmt::Measure { exprs, layers: set, .. } => {
                format!("measure{} {}", layers(set), self.list(exprs))
            }
            Stmt::Yield { expr, layers: set, attrs } => {
                let expr = expr.map(|id| format!(" {}", self.expr(id))).unwrap_or_default();
                format!("yield{}{}{expr}", layers(set), self.attrs(attrs))
            }
            Stmt::Call { arms, is_async, is_free } => {
                let arms: Vec<String> = arms.iter().map(|arm| self.arm(arm)).collect();
                let prefix = if *is_async { "async " } else { "" };
                let free = if *is_free { "free " } else { "" };
                format!("{prefix}{free}call {}", arms.join(" | "))
            }
            Stmt::Visibility(Visibility::Push) => "push".to_owned(),
            Stmt::Visibility(Visibility::Pop) => "pop".to_owned(),
            Stmt::Visibility(Visibility::Reveal(name)) => format!("reveal {}", star(name)),
            Stmt::Visibility(Visibility::Hide(name)) => format!("hide {}", star(name)),
            Stmt::If { guard, .. } => format!("if ({})", self.guard(*guard)),
            Stmt::While { guard, .. } => format!("while ({})", self.guard(*guard)),
            Stmt::Break { label: None } => "break".to_owned(),
            Stmt::Break { label: Some(label) } => format!("break {label}"),
            Stmt::Goto { labels } => {
                format!(
                    "goto {}",
                    labels.iter().map(Name::to_string).collect::<Vec<_>>().join(", ")
                )
            }
            Stmt::Label(name) => format!("{name}:"),
            Stmt::Return => "return".to_owned(),
        }
    }

    fn guard(self, guard: Option<ExprId>) -> String {
        guard.map_or("*".to_owned(), |id| self.expr(id))
    }

    fn var(self, var: &VarRef) -> String {
        match var {
            VarRef::Local(id) => {
                self.locals.get(id.index()).map_or("?".to_owned(), |it| it.name.to_string())
            }
            VarRef::Global(name) => name.to_string(),
            VarRef::Error => "?".to_owned(),
        }
    }

    fn vars(self, vars: &[VarRef]) -> String {
        vars.iter().map(|var| self.var(var)).collect::<Vec<_>>().join(", ")
    }

    fn target(self, target: &Target) -> String {
        let mut out = self.var(&target.root);
        for step in &target.path {
            let _ = match step {
                Step::Index(indices) => write!(out, "[{}]", self.list(indices)),
                Step::Field(field) => write!(out, "->{field}"),
            };
        }
        out
    }

    fn arm(self, arm: &Arm) -> String {
        let outs = self.vars(&arm.outs);
        let outs = if outs.is_empty() { outs } else { format!("{outs} := ") };
        let (set, attrs) = (layers(&arm.layers), self.attrs(&arm.attrs));
        let space = if set.is_empty() && attrs.is_empty() { "" } else { " " };
        let head = format!("{set}{attrs}{space}");
        let types = type_args(&arm.type_args);
        format!("{}{outs}{}{types}({})", head.trim_start(), arm.callee, self.list(&arm.args))
    }
}

fn star(name: &Option<Name>) -> String {
    name.as_ref().map_or("*".to_owned(), Name::to_string)
}

fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Real { mantissa, exponent } => format!("{mantissa}e{exponent}"),
        Literal::Bv { value, width } => format!("{value}bv{width}"),
        Literal::Float(text) | Literal::RMode(text) => text.to_string(),
        Literal::String(text) => format!("\"{text}\""),
    }
}

/// The statements of a body as text, one per line, nested ones indented.
pub fn body_text(body: &Body) -> String {
    let mut out = String::new();
    let mut todo: Vec<(StmtId, usize)> = body.root.iter().rev().map(|id| (*id, 0)).collect();
    let printer = Printer { exprs: &body.exprs, locals: &body.locals };
    while let Some((id, depth)) = todo.pop() {
        let stmt = body.stmt(id);
        let _ = writeln!(out, "{:depth$}{}", "", printer.stmt(stmt), depth = 2 * depth);
        if let Stmt::If { then, other, .. } = stmt {
            todo.extend(then.iter().chain(other).rev().map(|id| (*id, depth + 1)));
        } else if let Stmt::While { head, body, .. } = stmt {
            todo.extend(head.iter().chain(body).rev().map(|id| (*id, depth + 1)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use base::Name;
    use expect_test::expect;

    use super::{body_text, cfg_text};
    use crate::test_db::program;
    use crate::{body, implementations};

    const TEXT: &str = r#"
datatype Option<T> { None(), Some(t: T) }
yield invariant {:layer 1} I(x: int);
yield procedure {:layer 1} P(n: int) returns (o: Option int)
{
  var {:layer 1} m: [int]bool;
  o := None();
  while (n > 0 && o == None())
  invariant {:yields} {:layer 1} true;
  invariant call I(n);
  invariant {:layer 1} (forall i: int :: {m[i]} 0 <= i ==> m[i]);
  {
    if (*) { m[n] := !m[n] || o is Some; } else { async call P2(n) ; }
  }
}
yield procedure {:layer 1} P2(n: int);
"#;

    #[test]
    fn bodies_print_with_what_was_inferred() {
        let (db, program, _) = program(TEXT);
        let decl = implementations(&db, program, Name::new("P"))[0];
        expect![[r#"
            o := None<int>()
            while (((n > 0) && (o == None<int>())))
              call I(n)
              assert {:layer 1} {:yields} true
              assert {:layer 1} (forall i: int :: {m[i]} ((0 <= i) ==> m[i]))
              if (*)
                m[n] := (!m[n] || (o is Some))
                async call P2(n)
        "#]]
        .assert_eq(&body_text(&body(&db, program, decl).unwrap()));
    }

    #[test]
    fn blocks_print_with_their_loops() {
        let (db, program, _) = program(TEXT);
        let decl = implementations(&db, program, Name::new("P"))[0];
        expect![[r#"
            P
              In n: int [0, 1]
              Out o: Option int [0, 1]
              Local m: [int]bool [1, 1]
            anon0:
              o := None<int>()
              goto anon4_LoopHead
            anon4_LoopHead:
              -- loop, yields: up to {:layer 1}
              -- call I(n)
              assert {:layer 1} (forall i: int :: {m[i]} ((0 <= i) ==> m[i]))
              goto anon4_LoopDone, anon4_LoopBody
            anon4_LoopBody:
              when ((n > 0) && (o == None<int>()))
              goto anon5_Then, anon5_Else
            anon5_Then:
              m[n] := (!m[n] || (o is Some))
              goto anon4_LoopHead
            anon5_Else:
              async call P2(n)
              goto anon4_LoopHead
            anon4_LoopDone:
              unless ((n > 0) && (o == None<int>()))
              return
        "#]]
        .assert_eq(&cfg_text(&db, program, decl).unwrap());
    }
}
