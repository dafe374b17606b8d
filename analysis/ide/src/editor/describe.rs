//! Declarations in a few words: signatures, layers, movers, comments.

use std::fmt::Write;

use base::{DeclId, DeclKind, Name, Program};
use hir::{LayerRange, LinearKind, Param, ProcKind, ProcSig};
use syntax::ast::{self, AstNode};

use crate::Analysis;
use crate::editor::answers::SymbolKind;

impl Analysis {
    /// The signature of a declaration as one line of text.
    pub(crate) fn signature_text(&self, program: Program, decl: DeclId) -> Option<String> {
        let db = &self.db;
        let name = decl.name(db);
        match decl.kind(db) {
            DeclKind::Type => Some(format!("type {name}")),
            DeclKind::Axiom => Some("axiom".into()),
            DeclKind::Datatype => hir::datatype_of(db, program, decl).map(|d| datatype(&d)),
            DeclKind::Const => hir::constant_of(db, program, decl).map(|c| {
                let unique = if c.unique { "unique " } else { "" };
                format!("const {unique}{name}: {}", c.ty)
            }),
            DeclKind::Function => hir::func_sig_of(db, program, decl).map(|sig| {
                format!(
                    "function {name}{}({}): {}",
                    generics(&sig.type_params),
                    params(&sig.params, false),
                    sig.result
                )
            }),
            DeclKind::Var => hir::global_of(db, program, decl).map(|var| {
                let linear = linear_text(var.linear);
                format!("var {}{linear}{name}: {}", layers_text(Some(var.layers)), var.ty)
            }),
            DeclKind::Procedure
            | DeclKind::Action
            | DeclKind::YieldProcedure
            | DeclKind::Invariant
            | DeclKind::Implementation => {
                hir::proc_sig_of(db, program, decl).map(|sig| proc_text(&sig))
            }
        }
    }

    /// Layers, mover or type: what stands beside a name in an outline.
    pub(crate) fn detail(&self, program: Program, decl: DeclId) -> String {
        let db = &self.db;
        match decl.kind(db) {
            DeclKind::Var => hir::global_of(db, program, decl)
                .map(|var| {
                    format!("{} {}", var.ty, range_text(Some(var.layers))).trim_end().to_owned()
                })
                .unwrap_or_default(),
            DeclKind::Const => {
                hir::constant_of(db, program, decl).map(|c| c.ty.to_string()).unwrap_or_default()
            }
            DeclKind::Function => hir::func_sig_of(db, program, decl)
                .map(|sig| sig.result.to_string())
                .unwrap_or_default(),
            DeclKind::Procedure
            | DeclKind::Action
            | DeclKind::YieldProcedure
            | DeclKind::Invariant
            | DeclKind::Implementation => {
                hir::proc_sig_of(db, program, decl).map(|sig| proc_detail(&sig)).unwrap_or_default()
            }
            DeclKind::Type | DeclKind::Datatype | DeclKind::Axiom => String::new(),
        }
    }

    /// The comment above a declaration.
    pub(crate) fn doc_comment(&self, decl: DeclId) -> Option<String> {
        let node = hir::decl_node(&self.db, decl)?;
        node.ancestors().find_map(ast::Item::cast)?.doc_comment()
    }
}

pub(crate) fn symbol_kind(kind: DeclKind) -> SymbolKind {
    match kind {
        DeclKind::Type => SymbolKind::Type,
        DeclKind::Datatype => SymbolKind::Datatype,
        DeclKind::Const => SymbolKind::Const,
        DeclKind::Function => SymbolKind::Function,
        DeclKind::Axiom => SymbolKind::Axiom,
        DeclKind::Var => SymbolKind::Global,
        DeclKind::Procedure | DeclKind::Implementation => SymbolKind::Procedure,
        DeclKind::Action => SymbolKind::Action,
        DeclKind::YieldProcedure => SymbolKind::YieldProcedure,
        DeclKind::Invariant => SymbolKind::Invariant,
    }
}

pub(crate) fn proc_text(sig: &ProcSig) -> String {
    let mut text = String::new();
    let mover = sig.mover.filter(|_| !sig.is_pure()).map(|m| format!("{m} ")).unwrap_or_default();
    let keywords = match sig.kind {
        ProcKind::Plain => "procedure".to_owned(),
        ProcKind::Pure => "pure procedure".to_owned(),
        ProcKind::Action { pure: true } => "pure action".to_owned(),
        ProcKind::Action { pure: false } => format!("{mover}action"),
        ProcKind::Yield => format!("yield {mover}procedure"),
        ProcKind::Invariant { global: false } => "yield invariant".to_owned(),
        ProcKind::Invariant { global: true } => "invariant".to_owned(),
    };
    let layers = match sig.kind {
        ProcKind::Yield | ProcKind::Invariant { .. } => {
            sig.layer().map(|layer| format!("{{:layer {layer}}} ")).unwrap_or_default()
        }
        ProcKind::Plain | ProcKind::Pure | ProcKind::Action { .. } => layers_text(sig.layers),
    };
    let _infallible = write!(
        text,
        "{keywords} {layers}{}{}({})",
        sig.name.titled(),
        generics(&sig.type_params),
        params(&sig.ins, false)
    );
    if !sig.outs.is_empty() {
        let _infallible = write!(text, " returns ({})", params(&sig.outs, false));
    }
    if let Some(refined) = &sig.refines {
        let _infallible = write!(text, " refines {}", refined.titled());
    }
    text
}

pub(crate) fn proc_detail(sig: &ProcSig) -> String {
    let mover = sig.mover.map(|m| m.to_string()).unwrap_or_default();
    let layers = match sig.kind {
        ProcKind::Yield | ProcKind::Invariant { .. } => {
            sig.layer().map(|l| format!("layer {l}")).unwrap_or_default()
        }
        ProcKind::Plain | ProcKind::Pure | ProcKind::Action { .. } => range_text(sig.layers),
    };
    let refines =
        sig.refines.as_ref().map(|name| format!("refines {}", name.titled())).unwrap_or_default();
    [mover, layers, refines]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ")
}

fn datatype(datatype: &hir::Datatype) -> String {
    let ctors = datatype.ctors.iter().map(|ctor| {
        let fields = ctor
            .fields
            .iter()
            .map(|field| format!("{}: {}", field.name, field.ty))
            .collect::<Vec<_>>();
        format!("{}({})", ctor.name, fields.join(", "))
    });
    let ctors = ctors.collect::<Vec<_>>().join(", ");
    format!("datatype {}{} {{ {ctors} }}", datatype.name, generics(&datatype.type_params))
}

fn generics(names: &[Name]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = names.iter().map(Name::as_str).collect();
    format!("<{}>", names.join(", "))
}

pub(crate) fn params(params: &[Param], with_layers: bool) -> String {
    params.iter().map(|p| param(p, with_layers)).collect::<Vec<_>>().join(", ")
}

pub(crate) fn param(param: &Param, with_layers: bool) -> String {
    let layers = if with_layers { layers_text(param.layers) } else { String::new() };
    let hide = if param.hide { "{:hide} " } else { "" };
    let name = if param.name.is_missing() { String::new() } else { format!("{}: ", param.name) };
    format!("{layers}{}{hide}{name}{}", linear_text(param.linear), param.ty)
}

fn linear_text(linear: LinearKind) -> &'static str {
    match linear {
        LinearKind::Ordinary => "",
        LinearKind::Linear => "{:linear} ",
        LinearKind::LinearIn => "{:linear_in} ",
        LinearKind::LinearOut => "{:linear_out} ",
    }
}

fn layers_text(layers: Option<LayerRange>) -> String {
    match layers {
        None | Some(LayerRange::ALL) => String::new(),
        Some(range) if range.low() == range.high() => format!("{{:layer {}}} ", range.low()),
        Some(range) => format!("{{:layer {},{}}} ", range.low(), high_text(range)),
    }
}

/// `[0, 2]`, or nothing where there are no layers.
pub(crate) fn range_text(layers: Option<LayerRange>) -> String {
    match layers {
        None | Some(LayerRange::ALL) => String::new(),
        Some(range) => format!("[{}, {}]", range.low(), high_text(range)),
    }
}

fn high_text(range: LayerRange) -> String {
    if range.high() == hir::Layer::MAX { "∞".into() } else { range.high().to_string() }
}
