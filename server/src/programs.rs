//! Which programs a file is part of: one rule for command line and server.
//!
//! The manifests of a file are the `civl.toml` files in its folder and in the folders above, up to the
//! root of the repository (the nearest folder with a `.git`), or of the file system where there is
//! none. The programs of a file are all programs of its manifests that name it. A file that no
//! manifest names is a program of its own, unless one of them cannot be understood; whatever has the
//! name of a manifest is one, also if it cannot be read.
//!
//! # Invariants
//! - A manifest names only files below it. So whoever has loaded the manifests of a file knows every
//!   program that it is part of; there is no other way into a program.
//! - Spellings do not matter: `a.bpl`, `./a.bpl` and a link to it are one file, see [`identity`].

use std::path::{Component, Path, PathBuf};

use crate::manifest;

/// What marks the root of a repository.
const REPOSITORY: &str = ".git";

/// Links that lead to nothing are followed so far.
const LONGEST_CHAIN: usize = 32;

/// The manifests of the files in a folder, the nearest first.
pub fn manifests_above(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for above in absolute(folder).ancestors() {
        let path = above.join(manifest::NAME);
        if is_there(&path) {
            found.push(path);
        }
        if above.join(REPOSITORY).exists() {
            break;
        }
    }
    found
}

/// Is there anything of this name? A link to nothing, a folder or what may not be looked at counts: that
/// it cannot be read is told by whoever reads it.
pub fn is_there(path: &Path) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    match path.symlink_metadata() {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), NotFound | NotADirectory),
    }
}

/// The manifests of a file, the nearest first.
pub fn manifests_of(file: &Path) -> Vec<PathBuf> {
    let file = absolute(file);
    file.parent().map(manifests_above).unwrap_or_default()
}

/// The same for all spellings of a file, also of one that is not on disk (an editor may have it).
pub fn identity(path: &Path) -> PathBuf {
    let mut path = absolute(path);
    for _ in 0..LONGEST_CHAIN {
        if let Ok(found) = path.canonicalize() {
            return found;
        }
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        match path.read_link() {
            Ok(to) => path = absolute(&folder.join(to)),
            Err(_) => break,
        }
    }
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    folder.zip(path.file_name()).map_or_else(|| path.clone(), |(folder, name)| folder.join(name))
}

/// The path from the root of the file system, without `.` and `..`. As for the system, `..` behind a link
/// is the folder above that to which the link leads.
pub fn absolute(path: &Path) -> PathBuf {
    let from = if path.is_absolute() {
        PathBuf::new()
    } else {
        std::env::current_dir().unwrap_or_default()
    };
    let mut out = PathBuf::new();
    for part in from.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out = out.canonicalize().unwrap_or(out);
                // Above the root there is only the root.
                out.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => out.push(part),
        }
    }
    out
}

/// The path as a person in the present folder would write it.
pub fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).to_path_buf()
}

/// The paths without those that name a file a second time. `-` is standard input and no path.
pub fn distinct(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut seen = Vec::new();
    let mut first = |path: &&PathBuf| {
        let own = if is_standard_input(path) { (*path).clone() } else { identity(path) };
        let new = !seen.contains(&own);
        seen.push(own);
        new
    };
    paths.iter().filter(|path| first(path)).cloned().collect()
}

/// Does a person mean standard input?
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("civl-programs-{}-{name}", std::process::id()));
        let _none = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("sub/deep")).unwrap();
        folder
    }

    #[test]
    fn manifests_are_found_above_up_to_the_repository() {
        let folder = fresh("above");
        for place in ["", "sub"] {
            std::fs::write(folder.join(place).join(manifest::NAME), "").unwrap();
        }
        std::fs::create_dir(folder.join(REPOSITORY)).unwrap();
        let found = manifests_of(&folder.join("sub/deep/./../deep/a.bpl"));
        assert_eq!(found, [folder.join("sub/civl.toml"), folder.join("civl.toml")]);
        std::fs::create_dir(folder.join("sub/deep").join(REPOSITORY)).unwrap();
        assert_eq!(manifests_of(&folder.join("sub/deep/a.bpl")), [] as [PathBuf; 0]);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn spellings_of_a_file_are_one_file() {
        let folder = fresh("spellings");
        let [a, b] = ["a.bpl", "b.bpl"].map(|name| folder.join(name));
        std::fs::write(&a, "").unwrap();
        std::fs::write(&b, "").unwrap();
        let other = folder.join("sub/../a.bpl");
        assert_eq!(distinct(&[a.clone(), other, b.clone(), a.clone()]), [a, b]);
        let missing = [folder.join("x"), folder.join("./sub/../x")];
        assert_eq!(distinct(&missing).len(), 1);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("sub/../x", folder.join("link")).unwrap();
            std::os::unix::fs::symlink("loop", folder.join("loop")).unwrap();
            assert_eq!(identity(&folder.join("link")), identity(&folder.join("x")));
            assert_ne!(identity(&folder.join("loop")), identity(&folder.join("x")));
            // `..` behind a link leads to where the system finds it.
            std::fs::create_dir_all(folder.join("sub/deep")).unwrap();
            std::os::unix::fs::symlink("sub/deep", folder.join("down")).unwrap();
            std::fs::write(folder.join("sub/a.bpl"), "").unwrap();
            let real = folder.join("sub/a.bpl").canonicalize().unwrap();
            assert_eq!(identity(&folder.join("down/../a.bpl")), real);
            assert_eq!(manifests_of(&folder.join("down/../a.bpl")), manifests_of(&real));
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
