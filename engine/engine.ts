import './type-registrations.ts'
import { answer } from './answer.ts'
import { followCharge } from './billing/invoice/outcome.ts'
import { openDeposits } from './crypto/open-deposits.ts'
import { decide } from './decide.ts'
import * as kernel from './kernel/apply.ts'
import type { ProviderCallRequest } from './kernel/calls.ts'
import type { Institution } from './kernel/context.ts'
import type { Engine } from './kernel/engine-definition.ts'
import type { Entry } from './kernel/entry.ts'
import type { Journal, Memory } from './kernel/ports.ts'
import { openShard as openKernelShard, type Shard, type ShardOptions } from './kernel/shard.ts'
import type { FlushedEntry } from './kernel/step.ts'
import { bookPayment } from './payments/bookings.ts'
import { syncTransfers } from './payouts/shares.ts'
import { evolve, kinds, nextTimer } from './registry.ts'
import { outcomes } from './sandbox/outcomes.ts'

/** The kernel with all actors: what the other packages open and replay shards with. */
const engine: Engine = {
  kinds,
  evolve,
  nextTimer,
  decide,
  answer,
  reactions: { transaction: [followCharge, bookPayment, syncTransfers, openDeposits] },
}

/** The institution's settings from the composition root. */
export type InstitutionSettings = Omit<Institution, 'outcomes'>

/** Opens a shard with all actors of this engine. */
export const openShard = ({
  institution,
  ...options
}: Omit<ShardOptions, 'engine' | 'institution'> & {
  readonly institution: InstitutionSettings
}): Shard => openKernelShard({ engine, institution: { outcomes, ...institution }, ...options })

/**
 * Brings a memory up to the end of a journal, from the sequence that it stands for. Yields each entry as it is applied.
 */
export const replay = (
  memory: Memory,
  journal: Pick<Journal, 'replay'>,
  afterSequence: number,
): Generator<FlushedEntry, void, undefined> => kernel.replay(engine, memory, journal, afterSequence)

/** Applies a journal entry to a memory, with the same result as when it was decided. */
export const applyEntry = (memory: Memory, sequence: number, entry: Entry): FlushedEntry =>
  kernel.applyEntry(engine, memory, sequence, entry)

/** The provider calls of an entry, to be made once it is on disk. */
export const providerRequestsOf = (entry: FlushedEntry): readonly ProviderCallRequest[] =>
  kernel.providerRequestsOf(engine, entry)
