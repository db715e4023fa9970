import type { Database, Statement } from './driver.ts';
import { translateRefusal } from './sqlite-error.ts';

const STATEMENT_METHODS = ['run', 'get', 'all'] as const;

/** Makes a connection throw OkaErrors for errors of the disk and locks of other processes. */
export function translateErrors(database: Database, file: string): Database {
  const translated = <Given extends unknown[], Answer>(call: (...given: Given) => Answer) => {
    return (...given: Given): Answer => {
      try {
        return call(...given);
      } catch (error) {
        throw translateRefusal(error, file);
      }
    };
  };
  const prepare = translated(database.prepare.bind(database));
  replace(database, 'exec', translated(database.exec.bind(database)));
  replace(database, 'prepare', (...given: Parameters<typeof prepare>): Statement => {
    const statement = prepare(...given);
    for (const name of STATEMENT_METHODS)
      replace(
        statement,
        name,
        translated((statement[name] as (...values: never[]) => unknown).bind(statement)),
      );
    return statement;
  });
  return database;
}

/** The driver's methods are read-only, so an own property shadows them. */
function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value });
}
