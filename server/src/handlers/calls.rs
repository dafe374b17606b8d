//! The call hierarchy: procedures, actions and invariants across layers.

use ide::{CallItem, Symbol};
use tower_lsp::lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, Range,
    TextDocumentPositionParams,
};

use super::{Opened, cursor};
use crate::lsp::proto;
use crate::session::Snapshot;

pub(crate) fn prepare(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Option<Vec<CallHierarchyItem>> {
    let symbol = snapshot.analysis.call_item(cursor(snapshot, params)?)?;
    Some(vec![item(snapshot, &symbol)?])
}

pub(crate) fn incoming(
    snapshot: &Snapshot,
    of: &CallHierarchyItem,
) -> Option<Vec<CallHierarchyIncomingCall>> {
    let callers = snapshot.analysis.incoming_calls(position(snapshot, of)?);
    let call = |caller: &CallItem| {
        let from_ranges = ranges(snapshot, caller);
        Some(CallHierarchyIncomingCall { from: item(snapshot, &caller.symbol)?, from_ranges })
    };
    Some(callers.iter().filter_map(call).collect())
}

pub(crate) fn outgoing(
    snapshot: &Snapshot,
    of: &CallHierarchyItem,
) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let callees = snapshot.analysis.outgoing_calls(position(snapshot, of)?);
    let call = |callee: &CallItem| {
        let from_ranges = ranges(snapshot, callee);
        Some(CallHierarchyOutgoingCall { to: item(snapshot, &callee.symbol)?, from_ranges })
    };
    Some(callees.iter().filter_map(call).collect())
}

fn position(snapshot: &Snapshot, of: &CallHierarchyItem) -> Option<ide::Position> {
    Some(Opened::find(snapshot, &of.uri)?.at(of.selection_range.start))
}

fn ranges(snapshot: &Snapshot, item: &CallItem) -> Vec<Range> {
    item.calls
        .iter()
        .filter_map(|at| proto::uri_range(snapshot, *at).map(|(_, range)| range))
        .collect()
}

fn item(snapshot: &Snapshot, symbol: &Symbol) -> Option<CallHierarchyItem> {
    let (uri, range) = proto::uri_range(snapshot, symbol.at)?;
    let (_, selection_range) = proto::uri_range(snapshot, symbol.selection)?;
    Some(CallHierarchyItem {
        name: symbol.name.clone(),
        kind: proto::symbol_kind(symbol.kind),
        tags: None,
        detail: (!symbol.detail.is_empty()).then(|| symbol.detail.clone()),
        uri,
        range,
        selection_range,
        data: None,
    })
}
