/** The parts of SQLite's WebAssembly build that are used here; its own types leave most of them open. */

export type Pointer = number;

/** A structure of C in the memory of the module. Its members begin with `$`. */
export interface Struct {
  readonly pointer: Pointer;
  [member: `$${string}`]: number;
}

interface StructType {
  new (pointer?: Pointer): Struct;
  readonly structInfo: { readonly sizeof: number };
}

export interface Capi {
  readonly sqlite3_vfs: StructType;
  readonly sqlite3_io_methods: StructType;
  readonly sqlite3_file: StructType;
  sqlite3_open_v2(path: string, db: Pointer, flags: number, vfs: string): number;
  sqlite3_close_v2(db: Pointer): number;
  sqlite3_exec(db: Pointer, sql: string, callback: 0, argument: 0, message: 0): number;
  sqlite3_errmsg(db: Pointer): string;
  sqlite3_extended_errcode(db: Pointer): number;
  sqlite3_extended_result_codes(db: Pointer, isOn: number): number;
  sqlite3_randomness(count: number, target: Pointer): void;
}

/** The functions of the module itself. Those of `Capi` convert each argument, which takes longer than most calls. */
export interface RawFunctions {
  sqlite3_prepare_v2(db: Pointer, sql: Pointer, bytes: number, statement: Pointer, tail: Pointer): number;
  sqlite3_finalize(statement: Pointer): number;
  sqlite3_reset(statement: Pointer): number;
  sqlite3_clear_bindings(statement: Pointer): number;
  sqlite3_step(statement: Pointer): number;
  sqlite3_bind_null(statement: Pointer, index: number): number;
  sqlite3_bind_double(statement: Pointer, index: number, value: number): number;
  sqlite3_bind_text(
    statement: Pointer,
    index: number,
    text: Pointer,
    bytes: number,
    destructor: number,
  ): number;
  sqlite3_column_count(statement: Pointer): number;
  sqlite3_column_name(statement: Pointer, index: number): Pointer;
  sqlite3_column_type(statement: Pointer, index: number): number;
  sqlite3_column_double(statement: Pointer, index: number): number;
  sqlite3_column_blob(statement: Pointer, index: number): Pointer;
  sqlite3_column_bytes(statement: Pointer, index: number): number;
  sqlite3_changes(db: Pointer): number;
  sqlite3_last_insert_rowid(db: Pointer): bigint;
}

export interface Wasm {
  readonly exports: RawFunctions;
  alloc(bytes: number): Pointer;
  dealloc(pointer: Pointer): void;
  heap8u(): Uint8Array;
  peekPtr(pointer: Pointer): Pointer;
  poke32(pointer: Pointer, value: number): void;
  poke64(pointer: Pointer, value: bigint): void;
  cstrToJs(pointer: Pointer): string;
}

/** Methods of C by their names; the module turns them into function pointers. */
// biome-ignore lint/suspicious/noExplicitAny: each method has arguments of its own
export type Methods = Readonly<Record<string, (...args: any[]) => number>>;

export interface SqliteModule {
  readonly capi: Capi;
  readonly wasm: Wasm;
  readonly vfs: {
    installVfs(parts: {
      readonly io: { readonly struct: Struct; readonly methods: Methods };
      readonly vfs: {
        readonly struct: Struct;
        readonly methods: Methods;
        readonly name: string;
        readonly asDefault: boolean;
      };
    }): void;
  };
}
