import type { HttpRequest } from '../wire/transport.ts'
import type { KnownKey } from './caller.ts'

/** When and from where keys are used, by the minute. */
export type KeyUsage = {
  /** A request with this key was let in. */
  readonly used: (key: KnownKey, request: From, nowMs: number) => void
  /** A request with this key came from an address that may not use it. */
  readonly refused: (key: KnownKey, address: string, nowMs: number) => void
  /** Returns what is new since the last call, by key ordinal. */
  readonly take: () => readonly (readonly [ordinal: number, sighting: KeySighting])[]
}

type From = Pick<HttpRequest, 'remoteAddress'>

/** The last use of a key, and the last attempt from an address that it does not allow; null for none. */
export type KeySighting = { readonly used: Seen | null; readonly refused: Seen | null }
export type Seen = { readonly atMs: number; readonly ip: string }

const minuteMs = 60_000

/** Notes uses in arrays by ordinal: within a minute, each use after a key's first costs a comparison. */
export const newKeyUsage = (): KeyUsage => {
  let minutes = new Int32Array(64)
  const seen = new Map<number, KeySighting>()
  const note = (ordinal: number, sighting: Partial<KeySighting>): void => {
    seen.set(ordinal, { ...(seen.get(ordinal) ?? unseen), ...sighting })
  }
  return {
    used: ({ ordinal }, request, nowMs) => {
      const minute = Math.floor(nowMs / minuteMs)
      if (minutes[ordinal] === minute) return
      if (ordinal >= minutes.length) minutes = grown(minutes, ordinal)
      minutes[ordinal] = minute
      note(ordinal, { used: { atMs: minute * minuteMs, ip: request.remoteAddress } })
    },
    refused: ({ ordinal }, ip, nowMs) =>
      note(ordinal, { refused: { atMs: Math.floor(nowMs / minuteMs) * minuteMs, ip } }),
    take: () => {
      const all = [...seen]
      seen.clear()
      return all
    },
  }
}

const grown = (minutes: Int32Array, ordinal: number): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(2 * (ordinal + 1))
  larger.set(minutes)
  return larger
}

const unseen: KeySighting = { used: null, refused: null }
