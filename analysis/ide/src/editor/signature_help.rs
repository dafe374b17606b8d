//! The signature of the call that is being written.

#![allow(clippy::wildcard_enum_match_arm, reason = "only two kinds of nodes are calls")]

use base::Name;
use hir::Param;
use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxNode, TextSize};

use crate::Analysis;
use crate::editor::answers::{Position, Signature};
use crate::editor::describe::param;

impl Analysis {
    /// The call around the cursor and the argument it is in.
    pub fn signature_help(&self, at: Position) -> Option<Signature> {
        let root = self.root(self.source(at.file));
        let offset = TextSize::from(at.offset);
        if offset > root.text_range().end() {
            return None;
        }
        let token = root.token_at_offset(offset).left_biased()?;
        let list = token.parent_ancestors().find(|node| is_open_list(node, offset))?;
        let commas = list.children_with_tokens().filter(|e| e.kind() == SyntaxKind::COMMA);
        let active = commas.filter(|comma| comma.text_range().start() < offset).count();
        let call = list.parent()?;
        let program = self.program(at.program);
        let (name, ins, tail, decl) = match call.kind() {
            SyntaxKind::CALL_EXPR => {
                let name = Name::new(ast::CallExpr::cast(call)?.name_ref()?.text());
                let sig = hir::func_sig(&self.db, program, name.clone())?;
                (name, sig.params.to_vec(), format!(": {}", sig.result), sig.decl)
            }
            SyntaxKind::CALL_ARM => {
                let name = Name::new(ast::CallArm::cast(call)?.name_ref()?.text());
                let sig = hir::proc_sig(&self.db, program, name.clone())?;
                let outs = crate::editor::describe::params(&sig.outs, false);
                let tail =
                    if outs.is_empty() { String::new() } else { format!(" returns ({outs})") };
                (name, sig.ins.to_vec(), tail, sig.decl)
            }
            _ => return None,
        };
        let (label, parameters) = label(&name, &ins, &tail);
        let active = u32::try_from(active).unwrap_or(0);
        Some(Signature { label, parameters, active, documentation: self.doc_comment(decl) })
    }
}

/// An argument list that begins before the cursor and does not end before it.
fn is_open_list(node: &SyntaxNode, offset: TextSize) -> bool {
    let closed = node
        .last_token()
        .is_some_and(|t| t.kind() == SyntaxKind::R_PAREN && t.text_range().end() <= offset);
    node.kind() == SyntaxKind::ARG_LIST && node.text_range().start() < offset && !closed
}

fn label(name: &Name, ins: &[Param], tail: &str) -> (String, Vec<(u32, u32)>) {
    let mut label = format!("{name}(");
    let mut parameters = Vec::new();
    for (at, one) in ins.iter().enumerate() {
        if at > 0 {
            label.push_str(", ");
        }
        let start = label.len();
        label.push_str(&param(one, false));
        parameters.push((narrow(start), narrow(label.len())));
    }
    label.push(')');
    label.push_str(tail);
    (label, parameters)
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
