import type { AccountId, ConnectionId } from '../../engine/shared/ids.ts'

/** A connection whose bank or acquirer reports to us: what the listener has to know of it. */
export type HookTarget = {
  readonly connectionId: ConnectionId
  /** The account whose money it reports. */
  readonly accountId: AccountId
  /** SHA-256 of the token in its address. */
  readonly tokenHash: Uint8Array
  /** Who may report; null where the provider shows no certificate, and the token alone says who it is. */
  readonly peer: PeerPin | null
}

/** The certificate that a provider shows when it reports. */
export type PeerPin = {
  /** The authorities that issue it, as PEM. */
  readonly authorities: readonly string[]
  /** The distinguished names in it, a line or a comma between their parts, in any order. */
  readonly issuer: string
  readonly subject: string
}

/** The connections that report to this installation. They change while it runs. */
export type HookTargets = {
  readonly find: (connectionId: string) => HookTarget | null
  readonly all: () => Iterable<HookTarget>
}
