//! Databases for tests, benchmarks and small tools.
//!
//! This crate knows neither salsa nor the crates above `base`, so what they need is a macro: it is
//! expanded in a crate that imports both `salsa` and `base`.

/// Declares a database with the abilities of the traits listed:
/// `database!(Database: hir::Db, discipline::Db);`.
///
/// `Database::default()` is a silent one, `Database::logged(&log)` writes down which queries run.
#[macro_export]
macro_rules! database {
    ($visibility:vis $name:ident: $($level:path),+) => {
        #[salsa::db]
        #[derive(Clone, Default)]
        $visibility struct $name {
            storage: salsa::Storage<Self>,
        }

        impl $name {
            /// A database that writes down which queries run.
            #[allow(dead_code, reason = "only tests of reuse ask for a log")]
            $visibility fn logged(log: &$crate::QueryLog) -> $name {
                let log = log.clone();
                let note = move |event: salsa::Event| {
                    if let salsa::EventKind::WillExecute { database_key } = event.kind {
                        log.push(&format!("{database_key:?}"));
                    }
                };
                $name { storage: salsa::Storage::new(Some(Box::new(note))) }
            }
        }

        #[salsa::db]
        impl salsa::Database for $name {}
        #[salsa::db]
        impl base::Db for $name {}
        $(
            #[salsa::db]
            impl $level for $name {}
        )+
    };
}
