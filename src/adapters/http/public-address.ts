import ipaddr from 'ipaddr.js';

/** Public addresses that the cloud host of this machine answers. */
const MACHINE_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);
/** The globally routable range of IPv6. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Why an address is not public; undefined if it is. */
export function refusedAddress(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return 'no address';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return NAMES[range] ?? range;
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.zoneId !== undefined || !parsed.match(GLOBAL_UNICAST)) return 'reserved';
    return undefined;
  }
  return MACHINE_SERVICES.has(parsed.toString()) ? "a service of the machine's host" : undefined;
}

const NAMES: Readonly<Record<string, string>> = {
  unspecified: 'unspecified',
  linkLocal: 'link-local',
  uniqueLocal: 'private',
  ipv4Mapped: 'an IPv4 address inside an IPv6 one',
  rfc6145: 'an IPv4 address inside an IPv6 one',
  rfc6052: 'an IPv4 address inside an IPv6 one',
  '6to4': 'an IPv4 address inside an IPv6 one',
  teredo: 'an IPv4 address inside an IPv6 one',
  carrierGradeNat: 'shared by a provider',
};
