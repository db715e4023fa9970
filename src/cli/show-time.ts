export function showTime(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').slice(0, 19);
}
