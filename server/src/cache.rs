//! Where verdicts are kept between runs.
//!
//! **In:** a folder, or the user's cache directory. **Out:** a [`DiskStore`], and facts about
//! the folder, for people.
//!
//! One small file per verdict, named by the hash of everything the verdict depends on. A file
//! is written under another name and then renamed, so that readers see a whole entry or none.
//! Each entry is sealed with a hash over its key and content, keyed with a secret of the
//! folder: entries that were damaged, cut short, moved or made elsewhere are ignored.
//!
//! # Invariants
//! - Any number of processes may read and write at once; no lock is taken.
//! - Nothing that goes wrong here is an error for a proof: it is then simply done again.
//! - Read-only means that nothing is written, not even a time stamp.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use ide::{NoStore, Store, StoreKey};

/// The layout of the folder; another layout is another sub-folder.
const LAYOUT: &str = "v1";

/// In front of every entry.
const MAGIC: &[u8; 8] = b"civlvrd1";

/// Magic, then seal, then content.
const HEADER: usize = MAGIC.len() + 32;

/// Larger entries are not kept and not read.
const LARGEST: u64 = 4 << 20;

/// When the folder outgrows this, the entries longest unused go, until three quarters are left.
const MOST_BYTES: u64 = 256 << 20;
const MOST_ENTRIES: usize = 200_000;

/// How many entries are written between two looks at the size.
const BETWEEN_LOOKS: u64 = 1024;

/// A used entry is marked as such at most so often.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

/// The folder of the store: the one asked for, or `civl` in the user's cache directory.
pub fn folder(asked: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(folder) = asked {
        return Ok(folder.to_path_buf());
    }
    let named =
        |variable: &str| std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = named("CIVL_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").map(|p| p.join("civl")))
        .or_else(|| named("HOME").map(|p| p.join(".cache/civl")))
        .or_else(|| named("LOCALAPPDATA").map(|p| p.join("civl")));
    base.context("no cache directory is known; name one with --cache DIR")
}

/// The store in `asked` or the user's cache directory; one that keeps nothing if neither can be
/// used. `CIVL_CACHE_READ_ONLY` forbids writing, for CI.
pub fn open(asked: Option<&Path>) -> Arc<dyn Store> {
    let read_only = std::env::var_os("CIVL_CACHE_READ_ONLY").is_some_and(|v| v != "0");
    match folder(asked).and_then(|folder| DiskStore::open(&folder, read_only)) {
        Ok(store) => Arc::new(store),
        Err(_) => Arc::new(NoStore),
    }
}

/// Numbers the entries that this process writes, for names that nobody else uses.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Verdicts in a folder.
#[derive(Debug)]
pub struct DiskStore {
    entries: PathBuf,
    secret: [u8; 32],
    read_only: bool,
}

impl DiskStore {
    /// The store in `folder`, which is made if need be.
    pub fn open(folder: &Path, read_only: bool) -> anyhow::Result<DiskStore> {
        let entries = folder.join(LAYOUT);
        if !read_only {
            fs::create_dir_all(&entries)
                .with_context(|| format!("cannot make {}", entries.display()))?;
        }
        let secret = secret(&entries, read_only)
            .with_context(|| format!("cannot use {}", entries.display()))?;
        Ok(DiskStore { entries, secret, read_only })
    }

    fn path(&self, key: &StoreKey) -> PathBuf {
        let name: String = key.0.iter().map(|byte| format!("{byte:02x}")).collect();
        self.entries.join(&name[..2]).join(&name[2..])
    }

    fn seal(&self, key: &[u8], content: &[u8]) -> [u8; 32] {
        let mut hash = blake3::Hasher::new_keyed(&self.secret);
        hash.update(key).update(content);
        *hash.finalize().as_bytes()
    }

    /// The content of the file at `path`, if it is an intact entry for `key`.
    fn read(&self, path: &Path, key: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        fs::File::open(path).ok()?.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
        if bytes.len() < HEADER || bytes.len() as u64 > LARGEST || !bytes.starts_with(MAGIC) {
            return None;
        }
        let content = bytes.split_off(HEADER);
        (bytes[MAGIC.len()..] == self.seal(key, &content)).then_some(content)
    }

    fn write(&self, key: &StoreKey, content: &[u8]) -> io::Result<()> {
        let path = self.path(key);
        let folder = path.parent().unwrap_or(&self.entries);
        let nth = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let temporary = self.entries.join(format!("new-{}-{nth}", std::process::id()));
        let put = || {
            fs::create_dir_all(folder)?;
            let mut file = fs::File::create(&temporary)?;
            file.write_all(MAGIC)?;
            file.write_all(&self.seal(&key.0, content))?;
            file.write_all(content)?;
            drop(file);
            fs::rename(&temporary, &path)
        };
        let done = put();
        if done.is_err() {
            let _never_made = fs::remove_file(&temporary);
        }
        if nth % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 {
            let _next_time = self.shrink(MOST_BYTES, MOST_ENTRIES);
        }
        done
    }

    /// Drops the entries longest unused until the rest fits well.
    fn shrink(&self, most_bytes: u64, most_entries: usize) -> anyhow::Result<()> {
        let mut files: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
        for path in files_below(&self.entries)? {
            if let (Some(_), Ok(facts)) = (key_of(&path), fs::metadata(&path)) {
                let used = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                files.push((used, path, facts.len()));
            }
        }
        let mut bytes: u64 = files.iter().map(|(_, _, size)| size).sum();
        let mut count = files.len();
        if bytes <= most_bytes && count <= most_entries {
            return Ok(());
        }
        files.sort();
        for (_, path, size) in files {
            if bytes <= most_bytes / 4 * 3 && count <= most_entries / 4 * 3 {
                break;
            }
            let _gone_already = fs::remove_file(path);
            bytes -= size;
            count -= 1;
        }
        Ok(())
    }

    fn mark_used(&self, path: &Path) {
        let old = |modified: SystemTime| modified.elapsed().is_ok_and(|age| age > FRESH);
        if fs::metadata(path).and_then(|facts| facts.modified()).is_ok_and(old)
            && let Ok(file) = fs::File::options().append(true).open(path)
        {
            let _unimportant = file.set_modified(SystemTime::now());
        }
    }
}

impl Store for DiskStore {
    fn load(&self, key: &StoreKey) -> Option<Vec<u8>> {
        let path = self.path(key);
        let content = self.read(&path, &key.0)?;
        if !self.read_only {
            self.mark_used(&path);
        }
        Some(content)
    }

    fn save(&self, key: &StoreKey, bytes: &[u8]) {
        if !self.read_only && ((bytes.len() + HEADER) as u64) < LARGEST {
            let _not_kept = self.write(key, bytes);
        }
    }
}

/// The secret of the folder. Without one, a read-only store gets one that fits no entry.
fn secret(entries: &Path, read_only: bool) -> io::Result<[u8; 32]> {
    let path = entries.join("secret");
    if let Some(known) = read_secret(&path) {
        return Ok(known);
    }
    let mut fresh = [0; 32];
    fs::File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut fresh))?;
    if read_only {
        return Ok(fresh);
    }
    // Stores of several threads and processes may be opened at once.
    let nth = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let temporary = entries.join(format!("secret-{}-{nth}", std::process::id()));
    write_private(&temporary, &fresh)?;
    // The first of several processes wins; a damaged secret is replaced.
    let linked = fs::hard_link(&temporary, &path);
    if linked.is_err() && read_secret(&path).is_none() {
        fs::rename(&temporary, &path)?;
    }
    let _linked = fs::remove_file(&temporary);
    Ok(read_secret(&path).unwrap_or(fresh))
}

fn read_secret(path: &Path) -> Option<[u8; 32]> {
    fs::read(path).ok()?.try_into().ok()
}

fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = fs::File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(bytes)
}

/// The key that a file is named after, if it is an entry.
fn key_of(path: &Path) -> Option<[u8; 32]> {
    let shard = path.parent()?.file_name()?.to_str()?;
    let name = format!("{shard}{}", path.file_name()?.to_str()?);
    if name.len() != 64 || !name.is_ascii() {
        return None;
    }
    let mut key = [0; 32];
    for (byte, nth) in key.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(&name[nth..nth + 2], 16).ok()?;
    }
    Some(key)
}

/// Where it is and how much it holds.
pub fn stat(folder: &Path) -> anyhow::Result<String> {
    let mut entries = 0u64;
    let mut bytes = 0u64;
    for path in files_below(&folder.join(LAYOUT))? {
        if key_of(&path).is_some() {
            entries += 1;
            bytes += fs::metadata(&path).map_or(0, |m| m.len());
        }
    }
    Ok(format!("folder   {}\nverdicts {entries}\nbytes    {bytes}\n", folder.display()))
}

/// What is wrong with the rights of the folder, if something is: it must be writable, and nobody
/// else should read its secret or write into it.
pub fn permissions(folder: &Path) -> anyhow::Result<Option<String>> {
    let probe = folder.join(format!("probe-{}", std::process::id()));
    fs::File::options().write(true).create_new(true).open(&probe).context("cannot be written")?;
    fs::remove_file(&probe).context("cannot be cleaned")?;
    #[cfg(unix)]
    for (path, forbidden) in
        [(folder.to_path_buf(), 0o022), (folder.join(LAYOUT).join("secret"), 0o077)]
    {
        let Ok(facts) = fs::metadata(&path) else { continue };
        let mode = std::os::unix::fs::PermissionsExt::mode(&facts.permissions());
        if mode & forbidden != 0 {
            let shown = path.display();
            return Ok(Some(format!("others may use {shown} (mode {:o})", mode & 0o777)));
        }
    }
    Ok(None)
}

/// Deletes every entry, and what a killed process may have left behind.
pub fn clear(folder: &Path) -> anyhow::Result<String> {
    let mut count = 0u64;
    for path in files_below(&folder.join(LAYOUT))? {
        fs::remove_file(&path).with_context(|| format!("cannot delete {}", path.display()))?;
        count += u64::from(key_of(&path).is_some());
    }
    Ok(format!("deleted {count} verdicts from {}\n", folder.display()))
}

/// Reads every entry and drops damaged ones.
pub fn verify(folder: &Path) -> anyhow::Result<String> {
    let store = DiskStore::open(folder, false)?;
    let (mut intact, mut damaged) = (0u64, 0u64);
    for path in files_below(&store.entries)? {
        let Some(key) = key_of(&path) else { continue };
        if store.read(&path, &key).is_some() {
            intact += 1;
        } else {
            damaged += 1;
            fs::remove_file(&path).with_context(|| format!("cannot delete {}", path.display()))?;
        }
    }
    Ok(format!("intact   {intact}\ndropped  {damaged}\n"))
}

fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(next) = todo.pop() {
        if !next.is_dir() {
            continue;
        }
        for entry in
            fs::read_dir(&next).with_context(|| format!("cannot list {}", next.display()))?
        {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                todo.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own for each test, empty at the start.
    fn fresh(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("civl-cache-{}-{name}", std::process::id()));
        let _not_there = fs::remove_dir_all(&folder);
        folder
    }

    fn key(byte: u8) -> StoreKey {
        StoreKey([byte; 32])
    }

    #[test]
    fn what_is_saved_is_loaded_by_others() {
        let folder = fresh("shared");
        DiskStore::open(&folder, false).unwrap().save(&key(7), b"proved");
        let other = DiskStore::open(&folder, false).unwrap();
        assert_eq!(other.load(&key(7)).unwrap(), b"proved");
        assert_eq!(other.load(&key(8)), None);
        assert!(stat(&folder).unwrap().contains("verdicts 1\n"));
        assert!(clear(&folder).unwrap().starts_with("deleted 1 "));
        assert_eq!(other.load(&key(7)), None);
    }

    #[test]
    fn every_damage_to_an_entry_is_noticed() {
        let folder = fresh("damage");
        let store = DiskStore::open(&folder, false).unwrap();
        store.save(&key(1), b"some verdict");
        let path = store.path(&key(1));
        let good = fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&path, &bad).unwrap();
            assert_eq!(store.load(&key(1)), None, "byte {at}");
            fs::write(&path, &good[..at]).unwrap();
            assert_eq!(store.load(&key(1)), None, "cut at {at}");
        }
        assert_eq!(verify(&folder).unwrap(), "intact   0\ndropped  1\n");
    }

    #[test]
    fn an_entry_under_another_key_or_from_another_folder_is_ignored() {
        let (one, two) = (fresh("one"), fresh("two"));
        let (one, two) =
            (DiskStore::open(&one, false).unwrap(), DiskStore::open(&two, false).unwrap());
        one.save(&key(1), b"proved");
        two.save(&key(1), b"refuted");
        two.save(&key(2), b"refuted");
        fs::copy(two.path(&key(1)), two.path(&key(2))).unwrap();
        assert_eq!(two.load(&key(2)), None);
        fs::copy(one.path(&key(1)), two.path(&key(1))).unwrap();
        assert_eq!(two.load(&key(1)), None);
    }

    #[test]
    fn read_only_writes_nothing() {
        let folder = fresh("read-only");
        let store = DiskStore::open(&folder, true).unwrap();
        store.save(&key(1), b"proved");
        assert_eq!(store.load(&key(1)), None);
        assert!(!folder.exists());
    }

    #[test]
    fn the_entries_longest_unused_go_first() {
        let folder = fresh("bounded");
        let store = DiskStore::open(&folder, false).unwrap();
        for nth in 0..20 {
            store.save(&key(nth), &[nth; 100]);
            let age = Duration::from_secs(1000 - u64::from(nth));
            let file = fs::File::options().append(true).open(store.path(&key(nth))).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        }
        store.shrink(u64::MAX, 16).unwrap();
        let left: Vec<u8> = (0..20).filter(|nth| store.load(&key(*nth)).is_some()).collect();
        assert_eq!(left, (8..20).collect::<Vec<u8>>());
    }

    #[test]
    fn many_writers_of_one_entry_leave_one_whole_entry() {
        let folder = fresh("writers");
        std::thread::scope(|scope| {
            for nth in 0..8u8 {
                let folder = &folder;
                scope.spawn(move || {
                    let store = DiskStore::open(folder, false).unwrap();
                    for _ in 0..50 {
                        store.save(&key(3), &vec![nth; 5000]);
                        assert!(store.load(&key(3)).is_some_and(|read| read.len() == 5000));
                    }
                });
            }
        });
    }
}
