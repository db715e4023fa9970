import { formatMoney } from '../../parts/format.ts';

/** A cost that may lack calls whose price is not known. */
export function showCost(usd: number, isUnpriced: boolean): string {
  if (!isUnpriced) return formatMoney(usd);
  return usd === 0 ? 'price unknown' : `${formatMoney(usd)} or more`;
}
