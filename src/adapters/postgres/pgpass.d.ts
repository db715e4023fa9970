declare module 'pgpass' {
  /** Finds the password in the user's password file, as `psql` does. */
  export default function findPassword(
    place: Readonly<Record<'host' | 'port' | 'database' | 'user', string>>,
    found: (password: string | undefined) => void,
  ): void;
}
