import { randomBytes } from 'node:crypto'
import type { RailClock } from '../clock.ts'
import type { SimulatedProfile } from './profiles/profile.ts'

/** The company whose account the bank holds. */
export type Receiver = {
  readonly nome: string
  readonly cnpj: string
  readonly cidade: string
  readonly agencia: string
  readonly conta: string
  /** Its keys; the first is where returns and payments to no key go. */
  readonly chaves: readonly string[]
}

/** What each part of a simulated bank needs of the others. */
export type BankContext = {
  readonly clock: RailClock
  readonly profile: SimulatedProfile
  readonly receiver: Receiver
  readonly newId: NewId
}

export type NewId = {
  /** An end-to-end id (E) or the id of a return (D), of the bank that makes it. */
  readonly endToEnd: (letter: 'D' | 'E', ispb: string) => string
  readonly recurrence: (letters: string, ispb: string) => string
  /** Letters and digits, never the same. */
  readonly token: (length: number) => string
  readonly uuid: () => string
  readonly number: () => number
}

/** Makes ids that no other simulator makes, in the order in which they are asked for. */
export const openIds = (clock: RailClock): NewId => {
  const tag = alphanumeric(4)
  let count = 0
  const unique = (length: number) => `${tag}${(count++).toString(36).padStart(length - 4, '0')}`
  const digits = () => new Date(clock.nowMs()).toISOString().replace(/\D/g, '')
  return {
    endToEnd: (letter, ispb) => `${letter}${ispb}${digits().slice(0, 12)}${unique(11)}`,
    recurrence: (letters, ispb) => `${letters}${ispb}${digits().slice(0, 8)}${unique(11)}`,
    token: (length) => `${unique(11)}${alphanumeric(length - 11)}`,
    uuid: () => {
      const hex = `${Buffer.from(unique(11)).toString('hex')}0000000000`
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30).padEnd(12, '0')}`
    },
    number: () => ++count,
  }
}

const alphanumeric = (length: number): string => {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return [...randomBytes(Math.max(length, 0))].map((byte) => letters[byte % letters.length]).join('')
}
