import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { archiveOf } from '../archive/format.ts'
import { bounds } from '../base/bounds.ts'
import type { ProgressReporter } from '../base/progress.ts'
import { newTimeSlice } from '../base/time-slice.ts'
import type { Position } from '../cluster/replica-store.ts'
import { StoredVersionRefusal } from '../codec/codec.ts'
import type { Layout } from '../codec/layout.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { isAnother } from '../home/parts.ts'
import { openSource, type Source, whyNot } from '../home/source.ts'
import { DamagedJournal } from '../journal/batches.ts'
import { identityFile } from '../journal/identity.ts'
import { type Finding, finding, type Repair, todoOf } from './finding.ts'
import { openReadJournal, type ReadJournal, rangeText, type SealedPoint } from './journal.ts'
import { readPositions, recordDamages } from './records.ts'

/** The place of a journal, and which journal belongs there. */
export type LogPlace = {
  readonly path: string
  /** The expected identity; null where only the file beside the journal names it. */
  readonly identity: string | null
  /**
   * `OWN` exists nowhere else. `REPLICA` is a copy of a shard's log in the cluster, record by record; `FOLLOWED`
   * is a copy of a cluster's directory, with the records as entries.
   */
  readonly kind: 'OWN' | 'REPLICA' | 'FOLLOWED'
  readonly isInUse: boolean
}

/** A journal on disk, as it was when it was opened. */
export type ReadLog<Record> = {
  readonly place: LogPlace
  readonly source: Source
  readonly journal: ReadJournal<Record>
  /** The end of a replica; null of other journals. */
  readonly position: Position | null
}

/** Opens a journal for reading; a finding says why if that fails. */
export const openReadLog = <Record>(place: LogPlace, layout: Layout<Record>): ReadLog<Record> | Finding => {
  const { path, kind } = place
  if (!hasEnvironment(path)) return finding(`${path} is missing; ${todoOf(repairOf(place))}`, repairOf(place))
  let source: Source | null = null
  try {
    source = openSource(path)
    if (kind !== 'REPLICA') {
      const journal = openReadJournal(source, source.shelf(), layout)
      return { place, source, journal, position: null }
    }
    const position = readPositions(source)?.position ?? null
    if (position === null) {
      source.close()
      return damageOf(place, 'is damaged: its position is not what was stored')
    }
    const journal = openReadJournal(source, source.shelf('batches'), layout, position.entries)
    return { place, source, journal, position }
  } catch (error) {
    source?.close()
    if (error instanceof StoredVersionRefusal) return finding(`${path}: ${error.message}`)
    return damageOf(place, whyNot(error))
  }
}

/** Where a log ended at an earlier check: what is behind it is checked, and that it continues there. */
export type Since = SealedPoint & { readonly position: Position | null }

/** Checks all bytes of a journal, or those since an earlier check. It can be replayed if all entries are whole. */
export const verifyLog = async (
  { place, source, journal, position }: ReadLog<unknown>,
  reporter: ProgressReporter,
  since: Since | null = null,
): Promise<{ readonly problems: readonly Finding[]; readonly isWhole: boolean }> => {
  const report = (done: number, of: number): Promise<void> | undefined =>
    reporter.isDue() ? reporter.report({ step: 'CHECK', done, of }) : undefined
  const pause = newTimeSlice(() => performance.now(), bounds.progressMs)
  const structure = source.damages((done, of) => {
    if (!pause.isOver()) return
    pause.restart()
    void reporter.report({ step: 'CHECK', done, of })
  })
  const identity = verifyIdentity(place, journal)
  if (since !== null && !isContinued(journal, since)) {
    const text = `${place.path} does not continue what was checked before, up to entry ${since.entries}: it was restored, fetched or written anew since, or is damaged there; run payments verify without --since`
    return { problems: [...identity.problems, finding(text)], isWhole: false }
  }
  const ranges = await journal.damagedRanges(identity.found, report, since)
  const records =
    position === null ? [] : await recordDamages(source, position, journal.batchAt, since?.position)
  const damages = [
    ...[...structure, ...records].map((damage) => `is damaged: ${damage}`),
    ...ranges
      .filter(([first]) => first > journal.archived())
      .map((range) => `is damaged at ${rangeText(range)}`),
  ]
  const archiveDamages = ranges
    .filter(([first]) => first <= journal.archived())
    .map((range) => archiveDamageOf(place, journal, rangeText(range)))
  const problems = [
    ...identity.problems,
    ...damages.map((damage) => damageOf(place, damage)),
    ...archiveDamages,
  ]
  return { problems, isWhole: ranges.length === 0 }
}

const isContinued = (journal: ReadJournal<unknown>, since: Since): boolean => {
  try {
    return journal.continues(since)
  } catch (error) {
    if (error instanceof DamagedJournal) return false
    throw error
  }
}

/** A finding about a journal; `damage` ends the sentence that begins with its path. */
const damageOf = (place: LogPlace, damage: string): Finding => {
  const repair = repairOf(place)
  return finding(`${place.path} ${damage}; ${todoOf(repair)}`, repair)
}

const archiveDamageOf = (place: LogPlace, { unreadable }: ReadJournal<unknown>, entries: string): Finding => {
  const repair = repairOf(place)
  const reasons = unreadable().map((reason) => `; ${reason}`)
  const todo = repair === null ? 'payments verify --repair --from BACKUP writes them again' : todoOf(repair)
  return finding(`${archiveOf(place.path)} lacks ${entries}${reasons.join('')}; ${todo}`, repair)
}

const repairOf = ({ path, identity, kind }: LogPlace): Repair | null =>
  kind === 'OWN' || identity === null ? null : { of: 'LOG', path, identity }

/** The identity that a journal's seals begin with, and whether the file beside it says another one. */
const verifyIdentity = (
  place: LogPlace,
  journal: ReadJournal<unknown>,
): { readonly found: string; readonly problems: readonly Finding[] } => {
  const { path, identity } = place
  const found = textOf(join(path, identityFile))
  if (identity === null || found === identity) return { found: found ?? '', problems: [] }
  if (journal.isOf(identity) ?? journal.appended() === 0) {
    const repair = { of: 'IDENTITY', path, identity } as const
    return {
      found: identity,
      problems: [
        finding(`${join(path, identityFile)} is damaged: it is not “${identity}”; ${todoOf(repair)}`, repair),
      ],
    }
  }
  const text = isAnother(path, found, identity)
  return { found: found ?? '', problems: [finding(`${text}; ${todoOf(repairOf(place))}`, repairOf(place))] }
}

const textOf = (file: string): string | null => {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  } catch {
    return null
  }
}
