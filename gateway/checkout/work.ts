import { createHash } from 'node:crypto'

/** How much work a form shows while its link is attacked: a fraction of a second for a payer's browser, on a phone a second or two. */
export const workBits = 18

/** Whether a form shows its work: the SHA-256 of its nonce and the work begins with so many zero bits (`browser/work.ts` finds it). */
export const showsWork = (nonce: string, work: string): boolean =>
  /^\d{1,12}$/.test(work) &&
  Math.clz32(createHash('sha256').update(`${nonce}:${work}`).digest().readInt32BE(0)) >= workBits
