import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { Invitation, Person, PersonChanges, PersonErased } from '../../engine/people/person.ts'
import type { DirectoryLog } from '../../persistence/journal/directory-log.ts'
import { type DataSubject, openPersonalTexts } from '../identity/personal-texts.ts'

export type SealedDirectory = Pick<DirectoryLog, 'follow' | 'append'> & {
  /** Rewrites the log without destroyed keys, and texts of erased people; a cluster's shared log stays. */
  readonly forgetErased: () => Promise<void>
}

/**
 * The log of the directory with its personal texts sealed by each person's key. Facts are stored sealed, and
 * opened for followers, without the texts of people who were erased since.
 */
export const sealedDirectory = (log: DirectoryLog, masterKey: Buffer): SealedDirectory => {
  const keys = new Map<DataSubject, string | null>()
  const { seal, open } = openPersonalTexts(masterKey, (owner) => keys.get(owner))

  const learnKey = (fact: DirectoryFact): void => {
    if (fact.type === 'PersonErased') for (const id of erasedBy(fact)) keys.delete(id)
    const part = personalPart(fact)
    if (part === null) return
    const { id, about } = part
    if (fact.type !== 'PersonChanged' || about.sealedKey !== undefined) keys.set(id, about.sealedKey ?? null)
  }

  const sealed = (fact: DirectoryFact): DirectoryFact => {
    learnKey(fact)
    return withTexts(fact, (text, id) => seal(id, text) ?? '')
  }

  const opened = (fact: DirectoryFact): DirectoryFact => {
    learnKey(fact)
    return withTexts(fact, (text) => open(text) ?? '')
  }

  return {
    follow: (onFact) => {
      const stored = log.follow((fact) => onFact(opened(fact)))
      return withoutErased(stored).map(opened)
    },
    append: (decide) =>
      log.append(() => {
        const fact = decide()
        return fact && sealed(fact)
      }),
    forgetErased: async () => log.rewrite?.(withoutErased),
  }
}

/** Facts without the personal texts of people whom later facts erase, and without the keys that later facts destroy. */
export const withoutErased = (facts: readonly DirectoryFact[]): readonly DirectoryFact[] =>
  withoutErasedPeople(withoutDestroyedKeys(facts))

const withoutDestroyedKeys = (facts: readonly DirectoryFact[]): readonly DirectoryFact[] => {
  const destroyed = new Set(facts.flatMap((fact) => (fact.type === 'PayerKeyDestroyed' ? [fact.number] : [])))
  if (destroyed.size === 0) return facts
  return facts.map((fact) =>
    fact.type === 'PayerKeyMade' && destroyed.has(fact.key.number)
      ? { ...fact, key: { ...fact.key, sealedKey: null } }
      : fact,
  )
}

const withoutErasedPeople = (facts: readonly DirectoryFact[]): readonly DirectoryFact[] => {
  const erased = new Set<string | null>(
    facts.flatMap((fact) => (fact.type === 'PersonErased' ? erasedBy(fact) : [])),
  )
  if (erased.size === 0) return facts
  return facts.map((fact) => {
    const part = personalPart(fact)
    const left =
      part === null || !erased.has(part.id)
        ? fact
        : withTexts(part.with({ ...part.about, sealedKey: null }), () => '')
    const { audit } = left
    if (audit === undefined || !erased.has(audit.actor.id)) return left
    return { ...left, audit: { ...audit, actor: { ...audit.actor, name: null }, ip: null, userAgent: null } }
  })
}

const erasedBy = ({ id, invitationIds }: PersonErased): readonly DataSubject[] =>
  id === null ? invitationIds : [id, ...invitationIds]

/** The personal part of a fact, and a function that builds the fact with another one. */
type PersonalPart = {
  readonly id: DataSubject
  readonly about: Partial<Person> | Omit<Invitation, 'isConfirmed'>
  readonly with: (about: object) => DirectoryFact
}

/** Null where a fact names people by their ids alone. */
const personalPart = (fact: DirectoryFact): PersonalPart | null => {
  switch (fact.type) {
    case 'InvitationCreated': {
      const { invitation } = fact
      return {
        id: invitation.id,
        about: invitation,
        with: (about) => ({ ...fact, invitation: about as Invitation }),
      }
    }
    case 'InvitationAccepted': {
      const { person } = fact
      if (person === null) return null
      return { id: person.id, about: person, with: (about) => ({ ...fact, person: about as Person }) }
    }
    case 'PersonChanged':
      return {
        id: fact.id,
        about: fact.changes,
        with: (about) => ({ ...fact, changes: about as PersonChanges }),
      }
    default:
      return null
  }
}

const withTexts = (fact: DirectoryFact, map: (text: string, id: DataSubject) => string): DirectoryFact => {
  const part = personalPart(fact)
  return part === null ? fact : part.with(mapped(part.about, (text) => map(text, part.id)) as object)
}

/** A copy of the value in which `map` has replaced every text, at any depth. */
const mapped = (value: unknown, map: (text: string) => string): unknown => {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapped(item, map))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value)
  return Object.fromEntries(
    members.map(([name, member]) => [name, impersonal.has(name) ? member : mapped(member, map)]),
  )
}

/** Members that hold nothing personal. */
const impersonal: ReadonlySet<string> = new Set([
  'id',
  'sealedKey',
  'companyId',
  'roles',
  'tokenHash',
  'invitedBy',
  'acceptedBy',
  'status',
  'language',
  'theme',
])
