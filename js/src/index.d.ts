/** A number that is not negative: a BigInt, or bytes, the most significant first. Of bytes the length is public. */
export type Numeric = bigint | Uint8Array;

/** What a result is: a BigInt where the base was one, else bytes, as many as the modulus has. */
export type Like<T extends Numeric> = T extends bigint ? bigint : Uint8Array;

/** `wasm`: relaxed SIMD; `portable`: plain WebAssembly; `bigint`: BigInt, which is not constant-time. */
export type EngineName = "wasm" | "portable" | "bigint";

/** What computes what, the fastest that serves here, and why. */
export interface Engine {
  readonly powmod: EngineName;
  readonly multiPow: EngineName;
  readonly invert: EngineName;
  readonly fixedBase: EngineName;
  readonly reason: string;
}

export interface LoadOptions {
  /** This engine or none: `load` rejects where it does not serve. */
  engine?: EngineName;
  /** Never BigInt: `portable` where `wasm` does not serve, twice slower than BigInt in powers. */
  constantTime?: boolean;
  /** The bytes of `wasm/moduli-relaxed.wasm`, or the module compiled, where the package cannot read its own files. */
  relaxedModule?: BufferSource | WebAssembly.Module;
  /** The same of `wasm/moduli-portable.wasm`. */
  portableModule?: BufferSource | WebAssembly.Module;
}

export interface ExponentOptions {
  /**
   * Bits that exponents are declared to have, 1 to 524288: these alone show. Else it is their length in bytes, and of a BigInt in words of
   * 64 bits.
   */
  exponentBits?: number;
  /** Exponents are public: faster, and they show. False by default. */
  vartime?: boolean;
}

export interface InvertOptions {
  /** The value is public: faster, and it shows. False by default. */
  vartime?: boolean;
}

export interface FixedBaseOptions {
  /** The most bits of an exponent, 1 to 65536; those of the modulus by default. */
  exponentBits?: number;
  /** The most bytes of the table, 1 MiB by default, at most 1 GiB. */
  budget?: number;
  /** Whether the table is planned for secret exponents: true by default. */
  secret?: boolean;
}

/** Powers of one base by a table. The table is freed by `close`, or some time after it was forgotten. */
export interface FixedBase<T extends Numeric = Numeric> {
  readonly exponentBits: number;
  /** Bytes of the table; 0 by BigInt, which has none. */
  readonly tableBytes: number;
  /** base^exponent: constant-time in the exponent, unless `vartime`. Throws `exponent-too-long`. */
  pow(exponent: Numeric, options?: { vartime?: boolean }): Like<T>;
  close(): void;
}

/** A table in each worker of a pool. */
export interface PooledBase<T extends Numeric = Numeric> {
  readonly tableBytes: number;
  pow(exponents: Iterable<Numeric>, options?: { vartime?: boolean }): Promise<Like<T>[]>;
  close(): Promise<void>;
}

/** Workers, each with a module of its own. Results come in the order of what was asked. */
export interface Pool {
  readonly workers: number;
  powmod<T extends Numeric>(bases: Iterable<T>, exponents: Iterable<Numeric>, modulus: Numeric, options?: ExponentOptions): Promise<Like<T>[]>;
  fixedBase<T extends Numeric>(base: T, modulus: Numeric, options?: FixedBaseOptions): Promise<PooledBase<T>>;
  /** Ends the workers; who waits gets an error `closed`. */
  close(): void;
}

export interface Moduli {
  readonly engine: Engine;
  /** Whether no operation is left to BigInt. */
  readonly constantTime: boolean;
  /** base^exponent modulo an odd number of 2 to 65536 bits. Constant-time but for lengths, unless `vartime`. */
  powmod<T extends Numeric>(base: T, exponent: Numeric, modulus: Numeric, options?: ExponentOptions): Like<T>;
  /** The product of base_i^exponent_i, with shared squarings; 1n of no bases. Constant-time but for lengths and the count, unless `vartime`. */
  multiPow<T extends Numeric>(bases: Iterable<T>, exponents: Iterable<Numeric>, modulus: Numeric, options?: ExponentOptions): Like<T>;
  /** 1/x. Constant-time but for lengths and whether there is one, unless `vartime`. Throws `not-invertible`. */
  invert<T extends Numeric>(x: T, modulus: Numeric, options?: InvertOptions): Like<T>;
  readonly FixedBase: new <T extends Numeric>(base: T, modulus: Numeric, options?: FixedBaseOptions) => FixedBase<T>;
  /** Workers for batches; as many as there are processors by default, at most 256. */
  pool(workers?: number): Promise<Pool>;
  /** Wipes and ends what is kept of the last eight moduli; tables stay. */
  clear(): void;
}

/** Chooses the engine and loads its module. */
export function load(options?: LoadOptions): Promise<Moduli>;

/** Why a call is refused. */
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
