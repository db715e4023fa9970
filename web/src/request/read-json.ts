export type ReadJson = { readonly value: unknown } | { readonly error: string };

/** Parses JSON, or says what is wrong and in which line. */
export function readJson(text: string): ReadJson {
  if (text.trim() === '') return { error: 'The arguments are empty. Write a JSON object, such as {}.' };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const { message } = error as Error;
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN);
    if (Number.isNaN(position)) return { error: `This is not valid JSON: ${message}` };
    const line = text.slice(0, position).split('\n').length;
    return { error: `This is not valid JSON, line ${line}: ${message.replace(/ \(line.*$/, '')}` };
  }
}
