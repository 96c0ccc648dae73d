import type { People } from '../../engine/people/person.ts'
import type { InvitationId, PersonId } from '../../engine/shared/ids.ts'
import { seal, unseal } from '../base/seal.ts'

/**
 * What is stored about people (names, addresses, browsers) is sealed with a key of each person, where it can never be changed or taken
 * out: in journals, in the audit log, in the log of the directory. When a person is erased the key is, and none of it can be read any more
 * (dashboard, section 9.6).
 */
export type PersonalTexts = {
  /**
   * Seals a text about a person, who may be new and then brings a sealed key; null if that one was erased. What is stored about a person
   * without a key stays as it is.
   */
  readonly seal: (owner: DataSubject, text: string, newKey?: string | null) => string | null
  /** A stored text as it was; null if whom it is about was erased. */
  readonly open: OpenPersonal
}

export type OpenPersonal = (text: string) => string | null

/** Whom a text is about: a person, or one who is invited. */
export type DataSubject = PersonId | InvitationId

/** Seals and opens with the sealed keys that are found for people: null for one without a key, undefined for one who is not there. */
export const openPersonalTexts = (
  masterKey: Uint8Array,
  sealedKeyOf: (owner: DataSubject) => string | null | undefined,
): PersonalTexts => {
  const wrappingKey = Buffer.from(masterKey)
  return {
    seal: (owner, text, newKey) => {
      const sealedKey = newKey ?? sealedKeyOf(owner)
      if (sealedKey === undefined) return null
      if (sealedKey === null) return text
      return `sealed:${owner}:${seal(text, personKey(owner, sealedKey, wrappingKey), purposeOf(owner))}`
    },
    open: (text) => {
      const [, owner, sealed] = /^sealed:((?:per|ivt)_\w+):(v2\.[\w.-]+)$/.exec(text) ?? []
      if (owner === undefined || sealed === undefined) return text
      const sealedKey = sealedKeyOf(owner as DataSubject)
      if (sealedKey === undefined) return null
      if (sealedKey === null) return text
      try {
        return unseal(sealed, personKey(owner as DataSubject, sealedKey, wrappingKey), purposeOf(owner))
      } catch {
        // A person has chosen a name in this form.
        return text
      }
    },
  }
}

/** A new key for a person, sealed with the master key. */
export const newPersonKey = (
  owner: DataSubject,
  masterKey: Buffer,
  randomBytes: (count: number) => Buffer,
): string => seal(randomBytes(32).toString('base64url'), masterKey, keyOwner(owner))

/** Finds the key of a person or an invitation in the directory. */
export const sealedKeyIn =
  ({ people }: { readonly people: People }) =>
  (owner: DataSubject): string | null | undefined =>
    (people.persons.get(owner as PersonId) ?? people.invitations.get(owner as InvitationId))?.sealedKey

/** Unsealed for each text: people are read of rarely, and a key that is nowhere in memory needs no forgetting. */
const personKey = (owner: DataSubject, sealedKey: string, masterKey: Buffer): Buffer =>
  Buffer.from(unseal(sealedKey, masterKey, keyOwner(owner)), 'base64url')

const keyOwner = (owner: string): string => `person-key ${owner}`
const purposeOf = (owner: string): string => `personal ${owner}`
