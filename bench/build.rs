//! Builds GMP 6.3 for this very processor, and the part of OpenSSL 3 that is measured.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=Cargo.lock");
    println!("cargo:rerun-if-env-changed=GMP_CPU");
    // Not in OUT_DIR, which differs from command to command and goes with every change of this file: it takes
    // minutes.
    let manifest = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let native = Path::new(&manifest).join("target/native");
    if env::var_os("CARGO_FEATURE_NATIVE").is_some() {
        gmp(&native.join("gmp"));
        openssl(&native.join("openssl"));
    } else {
        source();
        println!("cargo:rustc-env=GMP_BUILD=not built");
    }
    println!("cargo:rustc-env=COMPILER={}", first_line(Command::new("cc").arg("--version")));
}

fn first_line(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_string()
}

/// Where cargo keeps the source of GMP. Tells the program which crypto-bigint is locked.
fn source() -> PathBuf {
    let output = Command::new(env::var_os("CARGO").expect("cargo sets CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let find = |name: &str| packages.iter().find(|package| package["name"] == name).expect("it is locked");
    println!(
        "cargo:rustc-env=CRYPTO_BIGINT={}",
        find("crypto-bigint")["version"].as_str().expect("a version")
    );
    let package = find("gmp-mpfr-sys");
    let manifest = package["manifest_path"].as_str().expect("a path");
    Path::new(manifest).with_file_name("gmp-6.3.0-c")
}

/// The processor for GMP's configure, as its own script guesses, unless that script does not know the
/// processor: it then says "nehalem" or the like, and the library would be a third slower. Measured on
/// Sapphire Rapids, whole exponentiations: GMP for `skylake` is up to a tenth faster than GMP for
/// `alderlake`.
fn processor(source: &Path) -> String {
    if let Ok(name) = env::var("GMP_CPU") {
        return name;
    }
    let guess = first_line(Command::new("sh").arg(source.join("config.guess")));
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("adx") && std::arch::is_x86_feature_detected!("bmi2") {
        let old =
            ["nehalem", "westmere", "core2", "sandybridge", "ivybridge", "haswell", "x86_64", "k8", "k10"];
        if old.iter().any(|old| guess.starts_with(old)) || guess.starts_with("bobcat") {
            let leaf = std::arch::x86_64::__cpuid(0);
            return if leaf.ebx == u32::from_le_bytes(*b"Auth") { "zen3" } else { "skylake" }.into();
        }
    }
    guess.split('-').next().unwrap_or(&guess).to_string()
}

fn gmp(build: &Path) {
    let source = source();
    let processor = processor(&source);
    let library = build.join(".libs/libgmp.a");
    let stamp = build.join(format!("built-for-{processor}"));
    if !(library.exists() && stamp.exists()) {
        let _ = fs::remove_dir_all(build);
        fs::create_dir_all(build).expect("the build folder can be made");
        let triple = format!("--build={processor}-pc-linux-gnu");
        let configure = source.join("configure");
        let arguments = [triple.as_str(), "--disable-shared", "--enable-static", "--with-pic"];
        run(build, Command::new("sh").arg(configure).args(arguments));
        make(build, &[]);
        fs::write(stamp, "").expect("the build folder can be written to");
    }
    // The parameters tell whose tuning was taken: a generic build would show here.
    let parameters = fs::read_to_string(build.join("config.log")).unwrap_or_default();
    let find = |key: &str| {
        let line = parameters.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split('\'').nth(1)).unwrap_or("?").to_string()
    };
    let tuned =
        fs::canonicalize(build.join("gmp-mparam.h")).or_else(|_| fs::read_link(build.join("gmp-mparam.h")));
    let tuned = tuned.map(|path| {
        let path = path.to_string_lossy().into_owned();
        path.split_once("/mpn/").map_or(path.clone(), |(_, inner)| format!("mpn/{inner}"))
    });
    let tuned = tuned.unwrap_or_else(|_| "?".to_string());
    println!("cargo:rustc-env=GMP_BUILD={processor}, {tuned}, {} {}", find("CC='"), find("CFLAGS='"));
    println!("cargo:rustc-link-search=native={}", build.join(".libs").display());
    println!("cargo:rustc-link-lib=static=gmp");
}

/// All of libcrypto but what has nothing to do with numbers: a third of the files.
const LEFT_OUT: &str = "shared module tests apps docs legacy engine comp zlib ssl tls dtls quic ct cmp cms ocsp ts srp psk \
    sock ec sm3 sm4 aria bf camellia cast chacha poly1305 des dsa gost idea md4 mdc2 rc2 rc4 rmd160 scrypt seed siphash \
    siv whirlpool blake2 argon2 ml-dsa ml-kem slh-dsa lms http ui-console autoload-config";

fn openssl(build: &Path) {
    let library = build.join("libcrypto.a");
    if !library.exists() {
        let _ = fs::remove_dir_all(build);
        fs::create_dir_all(build).expect("the build folder can be made");
        let configure = openssl_src::source_dir().join("Configure");
        let left_out = LEFT_OUT.split_whitespace().map(|part| format!("no-{part}"));
        run(build, Command::new("perl").arg(configure).args(left_out));
        make(build, &["build_generated"]);
        make(build, &["libcrypto.a"]);
    }
    println!("cargo:rustc-link-search=native={}", build.display());
    println!("cargo:rustc-link-lib=static=crypto");
}

/// The jobserver is cargo's; these makes count their own jobs.
fn make(directory: &Path, targets: &[&str]) {
    let jobs = env::var("NUM_JOBS").unwrap_or_else(|_| "1".to_string());
    let mut make = Command::new("make");
    make.env_remove("MAKEFLAGS").env_remove("MFLAGS").args(["-j", &jobs]).args(targets);
    run(directory, &mut make);
}

fn run(directory: &Path, command: &mut Command) {
    let output = command.current_dir(directory).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}; is it installed?"));
    if !output.status.success() {
        let tail = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let lines: Vec<&str> = text.lines().collect();
            lines[lines.len().saturating_sub(30)..].join("\n")
        };
        panic!("{command:?} failed:\n{}\n{}", tail(&output.stdout), tail(&output.stderr));
    }
}
