/// <reference lib="esnext.disposable" />
/** A number that is not negative: a BigInt, or bytes, the most significant first. The number of bytes is public. */
export type Numeric = bigint | Uint8Array;

/** The type of a result: a BigInt if the base is one, otherwise bytes, as many as the modulus has. */
export type Like<T extends Numeric> = T extends bigint ? bigint : Uint8Array;

/** `wasm`: relaxed SIMD; `portable`: plain WebAssembly; `bigint`: BigInt, which is not constant-time. */
export type EngineName = "wasm" | "portable" | "bigint";

/** Which engine computes what (the fastest one that works here), and why. */
export interface Engine {
  readonly powmod: EngineName;
  readonly multiPow: EngineName;
  readonly invert: EngineName;
  readonly fixedBase: EngineName;
  readonly reason: string;
}

export interface LoadOptions {
  /** Use this engine only: `load` rejects if it does not work here. */
  engine?: EngineName;
  /** Never use BigInt: if `wasm` does not work here, use `portable`, whose powers take twice as long as BigInt's. */
  constantTime?: boolean;
  /** The bytes of `wasm/moduli-relaxed.wasm`, or the compiled module, if the package cannot read its own files. */
  relaxedModule?: BufferSource | WebAssembly.Module;
  /** The same for `wasm/moduli-portable.wasm`. */
  portableModule?: BufferSource | WebAssembly.Module;
}

export interface ExponentOptions {
  /**
   * The declared length of exponents in bits, 1 to 524288; only this is revealed. Without it, the length in bytes is
   * revealed, or for a BigInt the length in 64-bit words.
   */
  exponentBits?: number;
  /** Whether exponents are public: faster, but reveals them. False by default. */
  vartime?: boolean;
}

export interface InvertOptions {
  /** Whether the value is public: faster, but reveals it. False by default. */
  vartime?: boolean;
}

export interface FixedBaseOptions {
  /** The most bits of an exponent, 1 to 65536; by default the length of the modulus. */
  exponentBits?: number;
  /** The most bytes of the table, 1 MiB by default, at most 1 GiB. */
  budget?: number;
  /** Whether the table is planned for secret exponents: true by default. */
  secret?: boolean;
}

/**
 * Powers of one base, from a table. Building it takes as long as a few powers with exponents of `exponentBits` bits and
 * blocks the thread. `close` frees the table; otherwise
 * it is freed some time after it becomes unreachable.
 */
export interface FixedBase<T extends Numeric = Numeric> {
  readonly exponentBits: number;
  /** Bytes of the table; 0 with BigInt, which has no table. */
  readonly tableBytes: number;
  /** base^exponent: constant-time in the exponent, unless `vartime`. Throws `exponent-too-long`. */
  pow(exponent: Numeric, options?: { vartime?: boolean }): Like<T>;
  close(): void;
  /** As `close`, for `using`. */
  [Symbol.dispose](): void;
}

/** A table in each worker of a pool. */
export interface PooledBase<T extends Numeric = Numeric> {
  readonly tableBytes: number;
  pow(exponents: Iterable<Numeric>, options?: { vartime?: boolean }): Promise<Like<T>[]>;
  close(): Promise<void>;
}

/** Workers, each with its own module. Results come in the order of the inputs. */
export interface Pool {
  readonly workers: number;
  powmod<T extends Numeric>(bases: Iterable<T>, exponents: Iterable<Numeric>, modulus: Numeric, options?: ExponentOptions): Promise<Like<T>[]>;
  fixedBase<T extends Numeric>(base: T, modulus: Numeric, options?: FixedBaseOptions): Promise<PooledBase<T>>;
  /** Ends the workers; pending promises are rejected with the error `closed`. */
  close(): void;
}

export interface Moduli {
  readonly engine: Engine;
  /** Whether no operation uses BigInt. */
  readonly constantTime: boolean;
  /** base^exponent, also modulo an even number. Constant-time except for lengths, unless `vartime`. */
  powmod<T extends Numeric>(base: T, exponent: Numeric, modulus: Numeric, options?: ExponentOptions): Like<T>;
  /** The product of base_i^exponent_i modulo an odd number, with shared squarings; 1n for no bases. Constant-time except for
   * lengths and the count, unless `vartime`. */
  multiPow<T extends Numeric>(bases: Iterable<T>, exponents: Iterable<Numeric>, modulus: Numeric, options?: ExponentOptions): Like<T>;
  /** The inverse of x, also modulo an even number. Constant-time except for lengths and whether there is one, unless `vartime`.
   * Throws `not-invertible`. */
  invert<T extends Numeric>(x: T, modulus: Numeric, options?: InvertOptions): Like<T>;
  readonly FixedBase: new <T extends Numeric>(base: T, modulus: Numeric, options?: FixedBaseOptions) => FixedBase<T>;
  /** Workers for batches; as many as there are processors by default, at most 256. */
  pool(workers?: number): Promise<Pool>;
  /** Wipes and frees the data that is kept for the last eight moduli; tables stay. */
  clear(): void;
}

/** Chooses the engine and loads its module. */
export function load(options?: LoadOptions): Promise<Moduli>;

/** Why a call fails. */
export type ErrorCode =
  | "argument"
  | "length"
  | "modulus"
  | "exponent-too-long"
  | "not-invertible"
  | "budget-too-small"
  | "parameter"
  | "table"
  | "closed"
  | "internal";

export class ModuliError extends Error {
  constructor(code: ErrorCode, message: string);
  readonly code: ErrorCode;
}
