import type { Idempotency } from '../../engine/kernel/command.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import type { AnyFact, TimerParked } from '../../engine/kernel/registry.ts'
import type { Added } from './facts/fact-layouts.ts'
import { factLayouts } from './facts/index.ts'
import { accountId, initiator, traceparent } from './facts/shared.ts'
import {
  codecVersion,
  decode,
  encode,
  type Fields,
  introducedIn,
  type Layout,
  list,
  number,
  oneOf,
  optional,
  type PersonalKeys,
  record,
  text,
  withPersonalKeys,
} from './layout.ts'

/** Every actor can have this fact; its tag is always 0. */
const parked: Fields<Omit<TimerParked, 'actor' | 'type'>> = {
  id: text(),
  by: initiator,
  atMs: number(),
  due: text(),
}

/** The layout of a fact type, without the members that follow from its two tags. */
type TaggedFields = readonly [tag: number, fields: object, added?: Added]
type OlderFact = readonly [tag: number, Pick<Layout<AnyFact>, 'read'>]

const factsOf = (
  actor: string,
  facts: Readonly<Record<string, TaggedFields>>,
  older: Readonly<Record<string, OlderFact>> = {},
): Layout<AnyFact> => {
  const kinds = Object.entries<TaggedFields>({ TimerParked: [0, parked], ...facts })
  const layoutOf = (type: string, fields: object, added: Added | undefined): Layout<AnyFact> => {
    const layout = record(fields as Fields<AnyFact>, { actor, type } as Partial<AnyFact>)
    return added === undefined ? layout : introducedIn(added.since, type, layout)
  }
  return oneOf(
    'type',
    Object.fromEntries(
      kinds.map(([type, [tag, fields, added]]) => [type, [tag, layoutOf(type, fields, added)] as const]),
    ),
    Object.values(older),
  )
}

const eventLayout: Layout<AnyFact> = oneOf(
  'actor',
  Object.fromEntries(
    Object.entries(factLayouts).map(([actor, [tag, facts, older]]) => [
      actor,
      [tag, factsOf(actor, facts, older)] as const,
    ]),
  ),
)

/**
 * A fact as it is read back from entries of a version: without what came later. Throws `UpgradeUnfinished` where that
 * cannot be left out.
 */
export const asWrittenIn = (version: number, fact: AnyFact): AnyFact =>
  version >= codecVersion ? fact : decode(eventLayout, encode(eventLayout, fact, version), version)

/**
 * The layout of a journal entry without keys, for those who show no texts: it seals nothing, and what is sealed reads as
 * forgotten.
 */
export const entryLayout: Layout<Entry> = record<Entry>({
  accountId,
  atMs: number(),
  events: list(eventLayout),
  idempotency: optional(record<Idempotency>({ key: text(), fingerprint: text() })),
  traceparent: optional(traceparent),
})

/** The layout of a journal entry whose personal texts are sealed with keys. */
export const entryLayoutWith = (keys: PersonalKeys<Entry>): Layout<Entry> =>
  withPersonalKeys(entryLayout, keys)
