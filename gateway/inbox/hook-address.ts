import { createHash, timingSafeEqual } from 'node:crypto'
import type { HookTarget } from './hook-target.ts'

/** What an address for notices says. */
export type HookAddress = {
  readonly connectionId: string
  readonly token: string
  /** What the bank has appended, such as `/pix` (rails, section 2.6), with its query. */
  readonly rest: string
}

/** Reads the target of a request; null for any other. */
export const readHookAddress = (target: string): HookAddress | null => {
  const found = form.exec(target)
  if (found === null) return null
  const [, connectionId, token, rest] = found as unknown as readonly [string, string, string, string]
  return { connectionId, token, rest }
}

const form =
  /^\/hooks\/(con_[0-9A-HJKMNP-TV-Z]{26})\/([0-9A-Za-z]{43})((?:\/[\w./-]{0,200})?(?:\?.{0,500})?)$/

/** The address that a bank is given for a connection: `origin` is where banks reach the port for notices. */
export const hookAddressOf = (origin: string, connectionId: string, token: string): string =>
  `${origin.replace(/\/+$/, '')}/hooks/${connectionId}/${token}`

/** The hash by which a token is known. */
export const hookTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Whether this is the token of a connection; takes as long for any other. */
export const isHookToken = ({ tokenHash }: Pick<HookTarget, 'tokenHash'>, token: string): boolean => {
  const hash = hookTokenHash(token)
  return hash.length === tokenHash.length && timingSafeEqual(hash, tokenHash)
}
