export type NetworkKind = 'namespaces' | 'loopback';

export interface HostNetwork {
  readonly kind: NetworkKind;
  /** Why it is loopback. */
  readonly reason?: string;
  close(): void;
}

export function openNetwork(kind?: 'auto' | NetworkKind): HostNetwork;
