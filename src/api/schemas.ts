// Parts of the schemas of operations, and the types that compare them with the methods.
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import type { Json, JsonObject } from '../kernel/index.ts';
import type { Fault } from '../ledger/index.ts';

export const text = z.string();
export const number = z.number();
export const flag = z.boolean();
/** Epoch milliseconds. */
export const epochMs = z.number();
export const json: z.ZodType<Json> = z
  .unknown()
  .refine((value) => value !== undefined, 'expected a JSON value') as z.ZodType<Json>;
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);
export const list = <T extends z.ZodType>(item: T): z.ZodReadonly<z.ZodArray<T>> => z.array(item).readonly();
export const record = <T extends z.ZodType>(value: T): z.ZodRecord<z.ZodString, T> =>
  z.record(z.string(), value);
/** The answer of an operation that only succeeds or fails. */
export const nothing = z.undefined();
/** Marks an argument that is not JSON: a function, a signal or a stream. */
export const live = 'live';

/** A schema of a domain type. Does not compile if the two differ, even in an optional field. */
export const schemaOf =
  <T>() =>
  <Schema extends z.ZodType<T>>(schema: Schema & Covering<T, z.infer<Schema>>): Schema =>
    schema;
type Covering<T, Described> = [T, keyof T] extends [Described, keyof Described] ? unknown : never;

/** A recorded failure. */
export const failure = z.object({
  code: text,
  message: text,
  data: record(z.unknown()).exactOptional(),
  transient: flag.exactOptional(),
});

export const fault = schemaOf<Fault>()(z.object({ where: text, what: text }));

/** The type that a schema describes. */
export type TypeOf<Schema extends z.ZodType> = Readonly<z.infer<Schema>>;

type Method = (...input: never[]) => unknown;
type Live = Method | AbortSignal | Readable | Writable;

/** A value without the fields that are not JSON. */
type JsonPart<T> = T extends object
  ? { [Key in keyof T as NonNullable<T[Key]> extends Live ? never : Key]: T[Key] }
  : T;

/** One argument by name, or the fields of a single request. */
type Argument<T> = z.ZodType<JsonPart<T>> | Readonly<Record<string, z.ZodType<JsonPart<T>>>>;

type Answer<Result> = Awaited<Result> extends AsyncIterable<infer Item> ? Item : Awaited<Result>;

type ArgumentsOf<Input extends readonly unknown[]> = {
  readonly [I in keyof Input]-?: NonNullable<Input[I]> extends Live ? typeof live : Argument<Input[I]>;
};

/** For each method of an API, the schemas of its arguments and of its answer or one item. */
export type SchemasOf<Api> = Api extends Method
  ? readonly [input: ArgumentsOf<Parameters<Api>>, output: z.ZodType<JsonPart<Answer<ReturnType<Api>>>>]
  : { readonly [Name in keyof Api]: SchemasOf<Api[Name]> };
