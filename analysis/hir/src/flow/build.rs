//! Cutting statements into labelled blocks.
//!
//! First every statement list is cut into *sections* (label, simple statements, then one jump or one
//! structured statement); then sections become blocks. The labels are those of language.md 6: unlabelled
//! sections are numbered in source order, structured statements go on counting.

use std::collections::BTreeMap;

use base::{Name, NodePtr};

use crate::{Block, BlockId, Body, Branch, Command, ExprId, SourceMap, Stmt, StmtId, Transfer};

/// The blocks of a body; jumps to labels that do not exist lead nowhere.
pub(crate) fn blocks(body: &Body, map: &SourceMap) -> Vec<Block> {
    let mut builder = Builder {
        body,
        map,
        prefix: fresh_prefix(body),
        count: 0,
        lists: BTreeMap::new(),
        out: Vec::new(),
        exits: Vec::new(),
    };
    builder.cut(&body.root, Key::Root);
    builder.list(Key::Root, Vec::new(), None, None);
    builder.resolve()
}

/// `anon`, lengthened until no label of the user starts with it.
fn fresh_prefix(body: &Body) -> String {
    let mut prefix = "anon".to_owned();
    let clashes = |prefix: &str| {
        let is_clash =
            |stmt: &Stmt| matches!(stmt, Stmt::Label(it) if it.as_str().starts_with(prefix));
        body.stmts.iter().any(is_clash)
    };
    while clashes(&prefix) {
        prefix.push('0');
    }
    prefix
}

/// A statement list: that of the body, or of a structured statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Root,
    Of(StmtId, Branch),
}

/// A stretch of a statement list.
#[derive(Clone, Debug)]
struct Section {
    label: Name,
    anonymous: bool,
    place: NodePtr,
    simple: Vec<StmtId>,
    /// The `if`, `while`, `break`, `goto` or `return` it ends with.
    end: Option<StmtId>,
}

/// A block whose jumps still name labels.
struct Draft {
    block: Block,
    targets: Option<Vec<Name>>,
}

/// Where a `break` goes.
struct Exit {
    labels: Vec<Name>,
    is_loop: bool,
    after: After,
}

/// What comes after a statement list or statement.
#[derive(Clone, Debug)]
enum After {
    Label(Name),
    Return,
}

struct Builder<'a> {
    body: &'a Body,
    map: &'a SourceMap,
    prefix: String,
    count: u32,
    lists: BTreeMap<Key, Vec<Section>>,
    out: Vec<Draft>,
    exits: Vec<Exit>,
}

impl Builder<'_> {
    fn fresh(&mut self) -> String {
        let label = format!("{}{}", self.prefix, self.count);
        self.count += 1;
        label
    }

    fn stmt_place(&self, id: StmtId) -> NodePtr {
        self.map.stmts[id.index()]
    }

    fn end_of(&self, key: Key) -> NodePtr {
        match key {
            Key::Root => self.map.end,
            Key::Of(stmt, branch) => {
                let end = self.map.block_ends.get(&(stmt, branch));
                end.copied().unwrap_or_else(|| self.stmt_place(stmt))
            }
        }
    }

    /// Cuts a statement list and all lists inside, naming sections in source order.
    fn cut(&mut self, stmts: &[StmtId], key: Key) {
        let sections = self.sections(stmts, key);
        let mut named = Vec::new();
        for mut section in sections {
            if section.anonymous {
                section.label = Name::new(self.fresh());
            }
            if let Some(end) = section.end {
                self.cut_inside(end);
            }
            named.push(section);
        }
        self.lists.insert(key, named);
    }

    fn cut_inside(&mut self, stmt: StmtId) {
        let body = self.body;
        let mut next = Some(stmt);
        while let Some(stmt) = next.take() {
            let inside = body.stmt(stmt);
            if let Stmt::While { body, .. } = inside {
                self.cut(body, Key::Of(stmt, Branch::Body));
            } else if let Stmt::If { then, other, .. } = inside {
                self.cut(then, Key::Of(stmt, Branch::Then));
                match self.else_if(other, stmt) {
                    Some(inner) => next = Some(inner),
                    None if self.has_else(other, stmt) => {
                        self.cut(other, Key::Of(stmt, Branch::Else));
                    }
                    None => {}
                }
            }
        }
    }

    /// `else if`: the branch is one `if` that has no braces of its own.
    fn else_if(&self, other: &[StmtId], stmt: StmtId) -> Option<StmtId> {
        let braces = self.map.block_ends.contains_key(&(stmt, Branch::Else));
        match other {
            [only] if !braces && matches!(self.body.stmt(*only), Stmt::If { .. }) => Some(*only),
            _other => None,
        }
    }

    fn has_else(&self, other: &[StmtId], stmt: StmtId) -> bool {
        !other.is_empty() || self.map.block_ends.contains_key(&(stmt, Branch::Else))
    }

    fn sections(&self, stmts: &[StmtId], key: Key) -> Vec<Section> {
        let mut out: Vec<Section> = Vec::new();
        let mut current: Option<Section> = None;
        for id in stmts {
            let place = self.stmt_place(*id);
            let open = |label: Option<Name>| Section {
                anonymous: label.is_none(),
                label: label.unwrap_or_else(Name::missing),
                place,
                simple: Vec::new(),
                end: None,
            };
            match self.body.stmt(*id) {
                Stmt::Label(name) => {
                    out.extend(current.take());
                    current = Some(open(Some(name.clone())));
                }
                Stmt::If { .. } | Stmt::While { .. } | Stmt::Break { .. } | Stmt::Goto { .. } => {
                    let mut section = current.take().unwrap_or_else(|| open(None));
                    section.end = Some(*id);
                    out.push(section);
                }
                Stmt::Return => {
                    let mut section = current.take().unwrap_or_else(|| open(None));
                    section.end = Some(*id);
                    out.push(section);
                }
                Stmt::Error
                | Stmt::Assign { .. }
                | Stmt::Unpack { .. }
                | Stmt::Assert { .. }
                | Stmt::Assume { .. }
                | Stmt::Havoc { .. }
                | Stmt::Measure { .. }
                | Stmt::Yield { .. }
                | Stmt::Call { .. }
                | Stmt::Visibility(_) => {
                    current.get_or_insert_with(|| open(None)).simple.push(*id);
                }
            }
        }
        out.extend(current);
        if out.is_empty() {
            let place = self.end_of(key);
            let (label, simple) = (Name::missing(), Vec::new());
            out.push(Section { label, anonymous: true, place, simple, end: None });
        }
        out
    }

    /// Blocks of a statement list. `guard` goes in front of the first; `after` follows the last.
    fn list(
        &mut self,
        key: Key,
        guard: Vec<Command>,
        first_label: Option<Name>,
        after: Option<After>,
    ) {
        let sections = self.lists.remove(&key).unwrap_or_default();
        let after = after.unwrap_or(After::Return);
        let (mut prefix, mut renamed) = (guard, first_label);
        for (number, section) in sections.iter().enumerate() {
            let next = match sections.get(number + 1) {
                Some(next) => After::Label(next.label.clone()),
                None => after.clone(),
            };
            let label = renamed.take().unwrap_or_else(|| section.label.clone());
            let mut commands = std::mem::take(&mut prefix);
            commands.extend(section.simple.iter().map(|id| Command::Stmt(*id)));
            let draft = Start { label, place: section.place, commands };
            let labels = if section.anonymous || !section.simple.is_empty() {
                Vec::new()
            } else {
                vec![section.label.clone()]
            };
            self.section(section, (key, labels), draft, next);
        }
    }

    /// Blocks of one section of the list `around.0`; a `break` may name the labels `around.1`.
    fn section(&mut self, section: &Section, around: (Key, Vec<Name>), start: Start, next: After) {
        let (body, (key, labels)) = (self.body, around);
        let Some(end) = section.end else {
            let place = self.end_of(key);
            return self.finish(start, next, place);
        };
        let place = self.stmt_place(end);
        match body.stmt(end) {
            Stmt::Goto { labels } => self.jump(start, labels.to_vec(), None),
            Stmt::Return => self.finish(start, After::Return, place),
            Stmt::Break { label } => {
                let exit = self.exits.iter().rev().find(|exit| match label {
                    Some(label) => exit.labels.contains(label),
                    None => exit.is_loop,
                });
                let after = exit.map_or(After::Return, |exit| exit.after.clone());
                self.finish(start, after, place);
            }
            Stmt::While { guard, head, .. } => {
                self.exits.push(Exit { labels, is_loop: true, after: next.clone() });
                self.while_blocks(start, end, (*guard, head), next);
                self.exits.pop();
            }
            Stmt::If { .. } => {
                self.exits.push(Exit { labels, is_loop: false, after: next.clone() });
                self.if_blocks(start, end, next);
                self.exits.pop();
            }
            Stmt::Error
            | Stmt::Assign { .. }
            | Stmt::Unpack { .. }
            | Stmt::Assert { .. }
            | Stmt::Assume { .. }
            | Stmt::Havoc { .. }
            | Stmt::Measure { .. }
            | Stmt::Yield { .. }
            | Stmt::Call { .. }
            | Stmt::Visibility(_)
            | Stmt::Label(_) => {
                self.finish(start, next, place);
            }
        }
    }

    fn while_blocks(
        &mut self,
        start: Start,
        stmt: StmtId,
        parts: (Option<ExprId>, &[StmtId]),
        next: After,
    ) {
        let (guard, head) = parts;
        let place = self.stmt_place(stmt);
        let prefix = self.fresh();
        let name = |suffix: &str| Name::new(format!("{prefix}_{suffix}"));
        let (head_label, done) = (name("LoopHead"), name("LoopDone"));
        let key = Key::Of(stmt, Branch::Body);
        let (enter, leave) = guards(guard, stmt);
        let (first, inner) = self.first_block(key, &enter, name("LoopBody"));
        self.jump(start, vec![head_label.clone()], None);
        let commands = head.iter().map(|id| Command::Stmt(*id)).collect();
        let head_start = Start { label: head_label.clone(), place, commands };
        self.jump(head_start, vec![done.clone(), first.clone()], Some(stmt));
        let after = Some(After::Label(head_label));
        self.branch(key, (enter, place), (first, inner), after);
        self.finish(Start { label: done, place, commands: leave }, next, place);
    }

    fn if_blocks(&mut self, start: Start, stmt: StmtId, next: After) {
        let body = self.body;
        let (mut start, mut stmt) = (start, stmt);
        while let Stmt::If { guard, other, .. } = body.stmt(stmt) {
            let place = self.stmt_place(stmt);
            let prefix = self.fresh();
            let name = |suffix: &str| Name::new(format!("{prefix}_{suffix}"));
            let (enter, leave) = guards(*guard, stmt);
            let then_key = Key::Of(stmt, Branch::Then);
            let (then, then_inner) = self.first_block(then_key, &enter, name("Then"));
            let else_key = Key::Of(stmt, Branch::Else);
            let else_if = self.else_if(other, stmt);
            let has_block = else_if.is_none() && self.has_else(other, stmt);
            let (otherwise, else_inner) = match has_block {
                true => self.first_block(else_key, &leave, name("Else")),
                false => (name("Else"), None),
            };
            self.jump(start, vec![then.clone(), otherwise.clone()], None);
            let after = Some(next.clone());
            self.branch(then_key, (enter, place), (then, then_inner), after);
            if has_block {
                self.branch(else_key, (leave, place), (otherwise, else_inner), Some(next));
                return;
            }
            let Some(inner) = else_if else {
                let done = Start { label: otherwise, place, commands: leave };
                return self.finish(done, next, place);
            };
            start = Start { label: otherwise, place: self.stmt_place(inner), commands: leave };
            stmt = inner;
        }
    }

    /// The label by which a nested list is entered. If its first section has the user's label and
    /// there is a guard, a block of its own is needed: then the second part is that label.
    fn first_block(&self, key: Key, guard: &[Command], suggested: Name) -> (Name, Option<Name>) {
        let first = self.lists.get(&key).and_then(|sections| sections.first());
        match first {
            Some(section) if section.anonymous => (suggested, None),
            Some(section) if guard.is_empty() => (section.label.clone(), None),
            Some(section) => (suggested, Some(section.label.clone())),
            None => (suggested, None),
        }
    }

    fn branch(
        &mut self,
        key: Key,
        guard: (Vec<Command>, NodePtr),
        labels: (Name, Option<Name>),
        after: Option<After>,
    ) {
        let ((commands, place), (label, inner)) = (guard, labels);
        match inner {
            Some(inner) => {
                self.jump(Start { label, place, commands }, vec![inner], None);
                self.list(key, Vec::new(), None, after);
            }
            None => self.list(key, commands, Some(label), after),
        }
    }

    fn jump(&mut self, start: Start, targets: Vec<Name>, of: Option<StmtId>) {
        let transfer = Transfer::Goto(Vec::new());
        self.out.push(Draft { block: start.block(transfer, of), targets: Some(targets) });
    }

    fn finish(&mut self, start: Start, after: After, place: NodePtr) {
        match after {
            After::Label(label) => self.jump(start, vec![label], None),
            After::Return => {
                let block = start.block(Transfer::Return(place), None);
                self.out.push(Draft { block, targets: None });
            }
        }
    }

    /// Labels become numbers.
    fn resolve(self) -> Vec<Block> {
        let mut numbers: BTreeMap<Name, BlockId> = BTreeMap::new();
        for (number, draft) in self.out.iter().enumerate() {
            let label = draft.block.label.clone();
            numbers.entry(label).or_insert(BlockId::from_index(number));
        }
        let mut blocks = Vec::new();
        for draft in self.out {
            let mut block = draft.block;
            if let Some(targets) = draft.targets {
                let mut ids: Vec<BlockId> = Vec::new();
                for id in targets.iter().filter_map(|label| numbers.get(label)) {
                    if !ids.contains(id) {
                        ids.push(*id);
                    }
                }
                block.transfer = Transfer::Goto(ids);
            }
            blocks.push(block);
        }
        blocks
    }
}

/// The beginning of a block.
struct Start {
    label: Name,
    place: NodePtr,
    commands: Vec<Command>,
}

impl Start {
    fn block(self, transfer: Transfer, of: Option<StmtId>) -> Block {
        Block {
            label: self.label,
            place: Some(self.place),
            commands: self.commands,
            transfer,
            of,
            head: None,
        }
    }
}

/// What is assumed on entering and on leaving; nothing for `*`.
fn guards(guard: Option<ExprId>, of: StmtId) -> (Vec<Command>, Vec<Command>) {
    match guard {
        None => (Vec::new(), Vec::new()),
        Some(cond) => (
            vec![Command::Guard { cond, negated: false, of }],
            vec![Command::Guard { cond, negated: true, of }],
        ),
    }
}
