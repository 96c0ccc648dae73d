import type { Memory } from '../kernel/ports.ts'
import type { ActorFacts, ListedKind } from '../kernel/registry.ts'
import { bounds } from '../shared/bounds.ts'
import type { Initiator } from '../shared/initiator.ts'

/** One thing that happened to an actor, and who caused it. */
export type ToldStep<Fact> = { readonly fact: Fact; readonly actor: Initiator }

/**
 * What happened to an actor lately, oldest first, as the journal has it. `actorOf` says who caused it: it is given whom the audit log names
 * for the same entry, null where that has no record.
 */
export const toldSteps = <Kind extends ListedKind>(
  memory: Pick<Memory, 'entriesOf'>,
  kind: Kind,
  id: string,
  actorOf: (fact: ActorFacts[Kind], recorded: Initiator | null) => Initiator,
): readonly ToldStep<ActorFacts[Kind]>[] =>
  memory.entriesOf(kind, id, bounds.historyEntriesMax).flatMap(({ events }) => {
    const record = events.find((event) => event.type === 'AuditRecorded')
    const recorded = record === undefined ? null : initiatorIn(record.entry.actor)
    return events.flatMap((event) => {
      // Parked due work is an error of the service, and no step of its actor.
      if (event.id !== id || event.type === 'TimerParked') return []
      const fact = event as ActorFacts[Kind]
      return [{ fact, actor: actorOf(fact, recorded) }]
    })
  })

/** Without the name: who may see names reads the audit log. */
const initiatorIn = ({ kind, id }: Initiator): Initiator => ({ kind, id })
