//! Fetches the pinned Z3 library and makes it findable at link time and at run time.
//!
//! **In:** the PyPI wheel named by the row of [`WHEELS`] for the target platform, from the
//! user's cache directory or downloaded with pip. **Out:** `OUT_DIR/z3/lib/libz3*`, a link
//! search path to it, copies in `target/<profile>` and `target/<profile>/deps`, and for release
//! builds one in the user's data directory, where programs that were installed find it.
//!
//! # Invariants
//! - Nothing is used whose SHA-256 is not the one written in the table.
//! - `Z3_LIBRARY_PATH_OVERRIDE` switches all of this off.
//! - Builds started elsewhere (`--manifest-path`) do not read `.cargo/config.toml`, so `z3-sys` may
//!   find a library of the system. It is not linked: cargo orders search paths by the names of
//!   crates, and `civl-z3-dist` comes before `z3-sys`. If it ever were, `prover` refuses to start.
//! - A failure stops the build with a message that says what to install or to set.
#![allow(
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a build script runs on the developer's machine; stopping the build is its error path"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[path = "keep.rs"]
mod keep;

use keep::RELEASE;

/// One platform: cargo's name of system and processor, the platform part of the wheel's
/// file name, the tag pip is asked for, and the digest of the wheel.
struct Wheel {
    os: &'static str,
    arch: &'static str,
    file_tag: &'static str,
    pip_platform: &'static str,
    sha256: &'static str,
}

const WHEELS: &[Wheel] = &[
    Wheel {
        os: "linux",
        arch: "x86_64",
        file_tag: "manylinux_2_17_x86_64.manylinux2014_x86_64",
        pip_platform: "manylinux2014_x86_64",
        sha256: "7e103a6f203f505b8b8b8e5c931cc407c95b61556512d4921c1ddc0b3f41b08e",
    },
    Wheel {
        os: "linux",
        arch: "aarch64",
        file_tag: "manylinux_2_34_aarch64",
        pip_platform: "manylinux_2_34_aarch64",
        sha256: "62c7e9cbdd711932301f29919ad9158de9b2f58b4d281dd259bbcd0a2f408ba1",
    },
    Wheel {
        os: "macos",
        arch: "x86_64",
        file_tag: "macosx_13_0_x86_64",
        pip_platform: "macosx_13_0_x86_64",
        sha256: "00bd10c5a6a5f6112d3a9a810d0799227e52f76caa860dafa5e00966bb47eb13",
    },
    Wheel {
        os: "macos",
        arch: "aarch64",
        file_tag: "macosx_13_0_arm64",
        pip_platform: "macosx_13_0_arm64",
        sha256: "407e825cc9211f95ef46bdc8d151bf630e7ab2d62a21d24cd74c09cc5b73f3aa",
    },
];

/// Arguments: wheel, expected digest, directory. Exit code 3 means "another digest".
/// The time stamps of the archive are kept, so that cargo does not see fresh files each time.
const UNPACK: &str = r#"
import hashlib, os, sys, time, zipfile
wheel, want, out = sys.argv[1:4]
with open(wheel, "rb") as f:
    if hashlib.sha256(f.read()).hexdigest() != want:
        sys.exit(3)
with zipfile.ZipFile(wheel) as z:
    for i in z.infolist():
        if i.filename.startswith("z3/lib/libz3") and not i.is_dir():
            path = z.extract(i, out)
            os.chmod(path, 0o755)
            stamp = time.mktime(i.date_time + (0, 0, -1))
            os.utime(path, (stamp, stamp))
"#;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    if env::var_os("Z3_LIBRARY_PATH_OVERRIDE").is_some() {
        return;
    }
    let out = PathBuf::from(variable("OUT_DIR"));
    let lib = out.join("z3").join("lib");
    if libraries(&lib).is_empty() {
        provide(&out);
    }
    if libraries(&lib).is_empty() {
        fail("the wheel holds no libz3");
    }
    println!("cargo:rustc-link-search=native={}", lib.display());
    place_beside_binaries(&out, &lib);
    if variable("PROFILE") == "release" {
        keep_for_installed(&lib);
    }
}

/// Unpacks the wheel for the target into `out`, from the cache or from pip.
fn provide(out: &Path) {
    let os = variable("CARGO_CFG_TARGET_OS");
    let arch = variable("CARGO_CFG_TARGET_ARCH");
    let Some(wheel) = WHEELS.iter().find(|w| w.os == os && w.arch == arch) else {
        fail(&format!("no pinned Z3 wheel for {os} on {arch}"));
    };
    let name = format!("z3_solver-{RELEASE}-py3-none-{}.whl", wheel.file_tag);
    let cached = cache_dir().map(|dir| dir.join(&name));
    if let Some(path) = &cached
        && path.exists()
        && unpack(path, wheel.sha256, out).is_ok()
    {
        return;
    }
    let downloads = out.join("download");
    download(wheel, &downloads);
    let fetched = downloads.join(&name);
    if let Err(message) = unpack(&fetched, wheel.sha256, out) {
        fail(&message);
    }
    if let Some(path) = cached {
        keep(&fetched, &path);
    }
    let _ = fs::remove_dir_all(&downloads);
}

fn download(wheel: &Wheel, into: &Path) {
    let status = Command::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check"])
        .args(["--no-deps", "--only-binary=:all:", "--platform", wheel.pip_platform])
        .arg("--dest")
        .arg(into)
        .arg(format!("z3-solver=={RELEASE}"))
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => fail(&format!("pip could not download z3-solver {RELEASE} ({status})")),
        Err(error) => fail(&format!("python3 does not start: {error}")),
    }
}

fn unpack(wheel: &Path, sha256: &str, out: &Path) -> Result<(), String> {
    let status = Command::new("python3")
        .args(["-c", UNPACK])
        .arg(wheel)
        .arg(sha256)
        .arg(out)
        .status()
        .map_err(|error| format!("python3 does not start: {error}"))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(3) => Err(format!("{} is not the pinned file (SHA-256 differs)", wheel.display())),
        _ => Err(format!("{} could not be unpacked ({status})", wheel.display())),
    }
}

/// Puts a copy into a folder of the user: the wheel, so that other target directories need no
/// network, or the library.
fn keep(fetched: &Path, cached: &Path) {
    let Some(dir) = cached.parent() else { return };
    let temporary = dir.join(format!("partial-{}", std::process::id()));
    let kept = fs::create_dir_all(dir)
        .and_then(|()| fs::copy(fetched, &temporary))
        .and_then(|_| fs::rename(&temporary, cached));
    if kept.is_err() {
        let _ = fs::remove_file(&temporary);
    }
}

fn cache_dir() -> Option<PathBuf> {
    let base = match env::var_os("XDG_CACHE_HOME") {
        Some(dir) if !dir.is_empty() => PathBuf::from(dir),
        _ => PathBuf::from(env::var_os("HOME")?).join(".cache"),
    };
    Some(base.join("civl-analyzer").join("wheels"))
}

/// `cargo install` copies the program alone; without a home nothing is kept.
fn keep_for_installed(lib: &Path) {
    let Some(folder) = keep::folder() else { return };
    for source in versioned(lib) {
        let Some(place) = source.file_name().map(|name| folder.join(name)) else { continue };
        keep(&source, &place);
        println!("cargo:rerun-if-changed={}", place.display());
    }
}

/// `target/<profile>` gets the library for the programs, its `deps` for the test programs.
fn place_beside_binaries(out: &Path, lib: &Path) {
    let is_build_dir = |p: &Path| p.file_name().is_some_and(|n| n == "build");
    let Some(profile) = out.ancestors().find(|p| is_build_dir(p)).and_then(Path::parent) else {
        return;
    };
    for source in versioned(lib) {
        let Some(name) = source.file_name() else { continue };
        for dir in [profile.to_path_buf(), profile.join("deps")] {
            let place = dir.join(name);
            let _ = fs::remove_file(&place);
            if fs::hard_link(&source, &place).is_err() && fs::copy(&source, &place).is_err() {
                fail(&format!("{} cannot be written", place.display()));
            }
            println!("cargo:rerun-if-changed={}", place.display());
        }
    }
}

/// The libraries that programs load; a name without a version is for the linker only.
fn versioned(lib: &Path) -> impl Iterator<Item = PathBuf> {
    libraries(lib)
        .into_iter()
        .filter(|path| path.file_name().is_some_and(|name| name != "libz3.so"))
}

/// The shared libraries in `dir`, in the order of their names.
fn libraries(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.sort();
    found
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo did not set {name}"))
}

fn fail(what: &str) -> ! {
    panic!(
        "\n\n  The Z3 library is missing: {what}.\n  Install python3 and python3-pip (the build downloads \
         the wheel z3-solver {RELEASE} from PyPI),\n  or set Z3_LIBRARY_PATH_OVERRIDE to a directory \
         that holds libz3 4.13.3 or newer.\n\n"
    );
}
