import type { People } from '../../engine/people/person.ts'
import type { InvitationId, PersonId } from '../../engine/shared/ids.ts'
import { seal, unseal } from '../base/seal.ts'

/**
 * Personal texts (names, addresses, browsers) are sealed with a key of each person where stored bytes can never be
 * changed or removed: in journals, in the audit log, in the log of the directory. Erasing a person erases the key,
 * and none of it can be read any more (dashboard, section 9.6).
 */
export type PersonalTexts = {
  /**
   * Seals a text about a person; null if the person was erased. A new person is not in the directory yet, so the
   * caller passes the sealed key. Texts about a person without a key stay as they are.
   */
  readonly seal: (owner: DataSubject, text: string, newKey?: string | null) => string | null
  /** Opens a stored text; null if the person it is about was erased. */
  readonly open: OpenPersonal
}

export type OpenPersonal = (text: string) => string | null

/** The person or invitation that a text is about. */
export type DataSubject = PersonId | InvitationId

/** Opens personal texts. `sealedKeyOf`: null for a person without a key, undefined for an unknown person. */
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
        // A person has chosen a name of this form.
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

/** Unsealed for each text: reads of people are rare, and a key that is not cached need not be cleared. */
const personKey = (owner: DataSubject, sealedKey: string, masterKey: Buffer): Buffer =>
  Buffer.from(unseal(sealedKey, masterKey, keyOwner(owner)), 'base64url')

const keyOwner = (owner: string): string => `person-key ${owner}`
const purposeOf = (owner: string): string => `personal ${owner}`
