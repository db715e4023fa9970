import { memoize } from '../../kernel/index.ts';
import type { Row, SqlDialect, SqlTables, SqlValue } from '../../ledger/index.ts';
import type { Querier } from './connection.ts';
import { fromStored, toStored } from './stored-text.ts';

const pathOf = (path: string): string => `'{${path.replaceAll('.', ',')}}'`;

const dialect: SqlDialect = {
  name: 'postgres',
  listed: (parameter) => `SELECT json_array_elements_text((${parameter})::json)`,
  each: (parameter, alias, type = 'text') =>
    type === 'text'
      ? `json_array_elements_text((${parameter})::json) AS ${alias}(value)`
      : `(SELECT value::bigint FROM json_array_elements_text((${parameter})::json) AS one(value)) AS ${alias}`,
  eachIn: (column, alias, path) =>
    `json_array_elements_text(${path === undefined ? `${column}::json` : `${column}::json #> ${pathOf(path)}`}) AS ${alias}(value)`,
  member: (column, path) => `(${column}::json #>> ${pathOf(path)})`,
  numberIn: (column, path) => `(${column}::json #>> ${pathOf(path)})::double precision`,
  orderedJoin: 'JOIN',
  unindexed: (column) => column,
  day: (column) => `to_char(to_timestamp(${column} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  contains: (column, text) => `strpos(${column}, ${text}) > 0`,
  end: (column, length) => `right(${column}, (${length})::integer)`,
};

/** The tables of a PostgreSQL ledger. */
export class PostgresTables implements SqlTables {
  readonly dialect = dialect;
  readonly #connection: Querier;
  readonly #ready: () => Promise<void>;

  /** `ready` resolves when the tables exist. */
  constructor(connection: Querier, ready: () => Promise<void> = async () => undefined) {
    this.#connection = connection;
    this.#ready = ready;
  }

  async rows(sql: string, ...values: readonly SqlValue[]): Promise<Row[]> {
    const { rows } = await this.#query(sql, values);
    return rows.map(
      (row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            typeof value === 'string' ? fromStored(value) : value,
          ]),
        ) as Row,
    );
  }

  async change(sql: string, ...values: readonly SqlValue[]): Promise<number> {
    return (await this.#query(sql, values)).rowCount ?? 0;
  }

  async #query(sql: string, values: readonly SqlValue[]) {
    await this.#ready();
    const statement = translate(sql, values);
    return this.#connection.query(statement.text, statement.values, true);
  }
}

/** Splits SQL at its parameters and literals, so that a question mark inside a literal is left alone. */
const parse = memoize(1_000, (sql: string) => sql.split(/('(?:[^']|'')*'|\?\d*)/));

/** Writes parameters as `$1` with the type of their value; NULL is written out, because it has no type. */
function translate(
  sql: string,
  values: readonly SqlValue[],
): { readonly text: string; readonly values: (string | number)[] } {
  const bound: (string | number)[] = [];
  const places = new Map<number, string>();
  let next = 0;
  const placeOf = (index: number): string => {
    const known = places.get(index);
    if (known !== undefined) return known;
    const value = values[index] ?? null;
    let place = 'NULL';
    if (value !== null) {
      bound.push(typeof value === 'string' ? toStored(value) : value);
      place = `$${bound.length}::${typeOf(value)}`;
    }
    places.set(index, place);
    return place;
  };
  const text = parse(sql)
    .map((part) => {
      if (!part.startsWith('?')) return part;
      const index = part === '?' ? next : Number(part.slice(1)) - 1;
      next = Math.max(next, index + 1);
      return placeOf(index);
    })
    .join('');
  return { text, values: bound };
}

function typeOf(value: string | number): string {
  if (typeof value === 'string') return 'text';
  return Number.isSafeInteger(value) ? 'bigint' : 'double precision';
}
