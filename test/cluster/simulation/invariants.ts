import { type Member, type Placed, placedAt, unpackRecord } from '../../../persistence/cluster/record.ts'
import type { Replica } from '../../../persistence/cluster/replica.ts'
import { type Position, positionAfter, startPosition } from '../../../persistence/cluster/replica-store.ts'
import { entriesOf } from './store-model.ts'
import type { StreamModel } from './stream-model.ts'

/** What must hold in every run, looked at after every event. */
export type Invariants = ReturnType<typeof newInvariants>

export type Watched = {
  readonly self: Member
  readonly replicas: ReadonlyMap<number, Replica>
}

/** Who holds copies. */
type Holders = {
  /** How many nodes are to hold each log. */
  readonly copies: number
  /** Null for all nodes. */
  readonly of: (log: number) => readonly string[] | null
  /** How much of a log each disk has. */
  readonly disks: (log: number) => readonly { readonly name: string; readonly applied: number }[]
  readonly nowMs: () => number
}

/** The times that pass between two moves because of load, and between two of one log. */
type BalanceTimes = { readonly pauseMs: number; readonly restMs: number }

type Place = { readonly sequence: number; readonly index: number }

/** Nodes ask each other where they are, and wait for so long. */
const askedWithinMs = 5_000

export const newInvariants = (
  logs: number,
  streamOf: (log: number) => Pick<StreamModel, 'records' | 'lost'>,
  watched: () => readonly Watched[],
  /** The entries on a node's disk. */
  entriesAt: (node: string, log: number) => readonly string[],
  holders: Holders,
  balance: BalanceTimes,
) => {
  const problems: string[] = []
  /** By log: the position after each record of the stream. */
  const positions: Position[][] = Array.from({ length: logs }, () => [])
  /** By log: where each entry of the stream is, and where those are that a loss of power took. */
  const places = Array.from({ length: logs }, () => new Map<string, Place>())
  const lostPositions = Array.from({ length: logs }, () => new Map<number, Position>())
  const lostPlaces = Array.from({ length: logs }, () => new Map<string, Place>())
  const acknowledged = Array.from({ length: logs }, () => new Set<string>())
  /** By node, and by log: the epoch that it has reached. */
  const epochs = new Map<string, number[]>()
  /** By log: the epoch in which a node serves it, in one look at all of them. */
  const serving = Array.from({ length: logs }, (): number | null => null)
  const movedAtMs = Array.from({ length: logs }, (): number[] => [])
  /** When the last log was moved, and when each was that was not pinned since. */
  let lastMovedMs = Number.NEGATIVE_INFINITY
  const restsSinceMs = new Map<number, number>()
  let diskLostMs = Number.NEGATIVE_INFINITY
  /** Power was lost while nodes were away: what it took may be lost, and who has it stops. */
  let isForgiven = false

  const everyLog = Array.from({ length: logs }, (_, log) => log)

  const problem = (text: string): void => {
    if (problems.length < 20) problems.push(text)
  }

  /** The stream has a record more. */
  const committed = (log: number, sequence: number, bytes: Buffer): void => {
    const known = positions[log]!
    const before = known[sequence - 2] ?? startPosition
    const placed = placedAt(sequence, bytes)
    const { record } = placed
    const after = positionAfter(before, placed)
    if (after === null) {
      problem(`log ${log}: record ${sequence} of the stream does not follow on the one before`)
      return
    }
    if (record.kind === 'BATCH' ? record.epoch !== before.epoch : record.epoch !== before.epoch + 1)
      problem(`log ${log}: record ${sequence} has epoch ${record.epoch} behind ${before.epoch}`)
    if (record.kind === 'BATCH' && record.by.incarnation !== before.owner?.incarnation)
      problem(`log ${log}: record ${sequence} is by ${record.by.incarnation}, which does not own it`)
    known.length = sequence - 1
    known.push(after)
    const lost = streamOf(log).lost.get(sequence)
    if (
      !isForgiven &&
      lost !== undefined &&
      !lost.equals(bytes) &&
      entriesOf(unpackRecord(lost)).some((id) => acknowledged[log]!.has(id))
    )
      problem(`log ${log}: record ${sequence} was acknowledged, and another is in its place`)
    for (const [n, id] of entriesOf(placed).entries()) {
      if (places[log]!.has(id)) problem(`log ${log}: ${id} is there twice`)
      places[log]!.set(id, { sequence, index: record.first + n })
      lostPlaces[log]!.delete(id)
    }
  }

  /** The stream begins with this record, behind what it has lost: that is on the nodes' disks alone. */
  const skipped = (log: number, sequence: number): void => {
    const known = positions[log]!
    for (let missing = known.length + 1; missing < sequence; missing++) {
      const position = lostPositions[log]!.get(missing)
      if (position === undefined)
        problem(`log ${log}: begins at ${sequence}, and never had record ${missing}`)
      else known.push(position)
    }
    for (const [id, place] of lostPlaces[log]!) {
      if (place.sequence >= sequence) continue
      lostPlaces[log]!.delete(id)
      places[log]!.set(id, place)
    }
  }

  /** The servers have lost what is behind this record. */
  const powerLost = (log: number, end: number): void => {
    for (const position of positions[log]!.splice(end)) lostPositions[log]!.set(position.applied, position)
    for (const [id, place] of places[log]!) {
      if (place.sequence <= end) continue
      places[log]!.delete(id)
      lostPlaces[log]!.set(id, place)
    }
  }

  /** A node's disk has these records more: those of the stream, or those that it has lost. */
  const written = (node: string, log: number, records: readonly Placed[]): void => {
    const { records: stored, lost } = streamOf(log)
    for (const { sequence, bytes } of records) {
      const theirs = stored[sequence - 1] ?? lost.get(sequence)
      if (theirs === undefined)
        problem(`log ${log}: ${node} has record ${sequence}, which the stream never had`)
      else if (!theirs.equals(bytes))
        problem(`log ${log}: record ${sequence} of ${node} is not that of the stream`)
    }
  }

  const epochsOf = (node: string): number[] => {
    const known = epochs.get(node)
    if (known !== undefined) return known
    const reached = Array.from({ length: logs }, () => 0)
    epochs.set(node, reached)
    return reached
  }

  const placeOf = (log: number, id: string): Place | undefined =>
    places[log]!.get(id) ?? lostPlaces[log]!.get(id)

  /** An entry is acknowledged by a node with these entries on its disk. */
  const acknowledge = (node: string, log: number, id: string, onDisk: readonly string[]): void => {
    const place = placeOf(log, id)
    acknowledged[log]!.add(id)
    if (place === undefined) problem(`log ${log}: ${node} acknowledges ${id}, which the stream does not have`)
    else if (onDisk[place.index - 1] !== id)
      problem(`log ${log}: ${node} acknowledges ${id}, which is not on its disk`)
  }

  /** No two nodes may serve a log in different epochs at one instant of true time, whatever their clocks show. */
  const afterEvent = (): void => {
    serving.fill(null)
    for (const { self, replicas } of watched()) {
      const reached = epochsOf(self.node)
      for (const [log, replica] of replicas) {
        const { epoch } = replica.position()
        if (epoch < reached[log]!) problem(`log ${log}: the epoch of ${self.node} falls to ${epoch}`)
        reached[log] = epoch
        if (!replica.mayServe()) continue
        const other = serving[log]!
        if (!isForgiven && other !== null && other !== epoch)
          problem(`log ${log}: owners of epochs ${other} and ${epoch} serve at once`)
        serving[log] = epoch
      }
    }
  }

  const isPlaced = (log: number): boolean => {
    const living = watched()
    const nodes = holders.of(log)
    let held = 0
    for (const { self, replicas } of living) {
      const replica = replicas.get(log)
      const isHolder = nodes === null || nodes.includes(self.node)
      if (isHolder) held += 1
      if (isHolder ? (replica?.position().applied ?? 0) === 0 : !isGone(log, self.node, replica)) return false
    }
    return (
      held === Math.min(holders.copies, living.length) &&
      (living.length <= holders.copies || nodes === null || nodes.length === holders.copies)
    )
  }

  /** Whether a node has nothing of a log. One that has stopped is left for an operator. */
  const isGone = (log: number, node: string, replica: Replica | undefined): boolean =>
    replica === undefined
      ? holders.disks(log).find(({ name }) => name === node)?.applied === 0
      : replica.role() === 'FORKED'

  return {
    problems: problems as readonly string[],
    problem,
    committed,
    skipped,
    powerLost,
    written,
    acknowledge,
    afterEvent,
    forgive: (): void => {
      isForgiven = true
    },
    /** The directory has a log move because of its load. */
    moved: (log: number): void => {
      const nowMs = holders.nowMs()
      if (nowMs - lastMovedMs < balance.pauseMs)
        problem(`log ${log}: moves ${nowMs - lastMovedMs} ms after another`)
      const restedMs = nowMs - (restsSinceMs.get(log) ?? Number.NEGATIVE_INFINITY)
      if (restedMs < balance.restMs) problem(`log ${log}: moves ${restedMs} ms after it has moved`)
      lastMovedMs = nowMs
      restsSinceMs.set(log, nowMs)
      movedAtMs[log]!.push(nowMs)
    },
    /** An operator says where a log is to be, or that it may be anywhere. */
    pinned: (log: number): void => void restsSinceMs.delete(log),
    movesCount: (log: number | null = null): number =>
      movedAtMs.reduce((sum, moves, n) => sum + (log === null || log === n ? moves.length : 0), 0),
    /** Whether a replica has stopped, as it may where power was lost at any time. */
    hasForked: (): boolean =>
      watched().some(({ replicas }) => [...replicas.values()].some((one) => one.role() === 'FORKED')),
    /** A replica stops, because its records are not those of the log. */
    forked: (text: string): void => {
      if (!isForgiven) problem(text)
    },
    /** A node begins a log anew. */
    forget: (node: string, log: number): void => {
      epochsOf(node)[log] = 0
    },
    /** A node lost its disk, and begins with nothing. */
    diskLost: (node: string): void => {
      diskLostMs = holders.nowMs()
      epochs.delete(node)
    },
    /** A node that holds a log no more removes it: as many others as asked for have what it had when it asked them. */
    leaves: (node: string, log: number, applied: number): void => {
      // Others may lose their disks at any time, as nodes do that keep theirs.
      if (holders.nowMs() - diskLostMs < askedWithinMs) return
      const others = holders.disks(log).filter((disk) => disk.name !== node && disk.applied >= applied)
      if (others.length < holders.copies)
        problem(
          `log ${log}: ${node} removes its copy up to ${applied}, which only ${others.map(({ name }) => name).join() || 'nobody'} has`,
        )
    },
    /** Whether each log has the holders that it should, which live, and others have nothing of it. One that has stopped never catches up. */
    areCopiesPlaced: (): boolean =>
      (isForgiven &&
        watched().some(({ replicas }) => [...replicas.values()].some((one) => one.role() === 'FORKED'))) ||
      everyLog.every(isPlaced),
    /** Where an entry is among those of its log; 0 for none. */
    indexOf: (log: number, id: string | null): number => (id === null ? 0 : (placeOf(log, id)?.index ?? 0)),
    /** When nothing moves any more: what was acknowledged is there, and all nodes are equal. */
    atEnd: (): void => {
      for (let log = 0; log < logs; log++) {
        for (const id of acknowledged[log]!)
          if (!places[log]!.has(id) && !(isForgiven && lostPlaces[log]!.has(id)))
            problem(`log ${log}: ${id} was acknowledged and is lost`)
        const end = positions[log]!.at(-1) ?? startPosition
        for (const { self, replicas } of watched()) {
          const replica = replicas.get(log)
          if (replica?.role() === 'FORKED' || !(holders.of(log)?.includes(self.node) ?? true)) continue
          if (replica === undefined) {
            problem(`log ${log}: ${self.node} is not open in the end`)
            continue
          }
          const { applied, head } = replica.position()
          // It notices when the log gets past its end.
          if (isForgiven && applied >= end.applied) continue
          if (head !== end.head)
            problem(`log ${log}: ${self.node} has ${applied} of ${end.applied} records in the end`)
          const entries = entriesAt(self.node, log)
          for (const id of acknowledged[log]!)
            if (entries[placeOf(log, id)!.index - 1] !== id)
              problem(`log ${log}: ${self.node} lacks ${id} in the end`)
        }
      }
    },
    acknowledgedCount: (): number => acknowledged.reduce((sum, ids) => sum + ids.size, 0),
  }
}
