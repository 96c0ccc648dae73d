import type { SimulatedNode, World } from './node.ts'

/** Fewer are not left. */
const nodesMin = 3

/** What goes wrong in a run: some kinds of faults, as its seed has it, at random times. */
export type Faults = ReturnType<typeof startFaults>

type Kind = {
  readonly weight: number
  readonly happen: () => void
}

export const startFaults = (
  { scheduler, random, streams, pins, leaseMs, logKept, placements, invariants, say }: World,
  nodes: SimulatedNode[],
  options: {
    readonly everyMs: number
    /** A node that was never there before; null where there are enough. */
    readonly newNode: () => SimulatedNode | null
    /** Power is lost at any time: what only a node that is away remembers may then be lost, and nothing else may happen. */
    readonly isReckless: boolean
    readonly onForgiven: () => void
  },
) => {
  const { after, nowMs } = scheduler
  let isOver = false
  /** No other faults while the servers have no power, and until their logs are whole. */
  let isCalm = false
  let powerLosses = 0
  let recoveries = 0

  const someNode = (): SimulatedNode => random.pick(nodes)
  const someOwner = (): SimulatedNode => {
    const owners = nodes.filter((node) => node.life()?.shards.some((shard) => shard.isLeading()))
    return owners.length > 0 && random.chance(0.6) ? random.pick(owners) : someNode()
  }
  const someMs = (): number =>
    random.chance(0.4) ? random.between(0.3, 1.6) * leaseMs : random.skewed(50, 12_000)

  const startAgain = (node: SimulatedNode): void => {
    if (nodes.includes(node)) node.start()
  }

  /** Servers drop what two disks have: one may be lost, and the next when it has been replaced. */
  const mayLoseDisk = (node: SimulatedNode): boolean =>
    streams.every((stream, log) =>
      nodes.some(
        (other) =>
          other !== node &&
          other.life() !== null &&
          other.appliedOf(log) >= Math.max(stream.begin() - 1, node.appliedOf(log) - 10),
      ),
    )

  /** A node of those that are there from now on. */
  const join = (): void => options.newNode()?.start()

  /** It does not come back, and nothing of it. */
  const remove = (): void => {
    const node = someOwner()
    if (nodes.length <= nodesMin || node.life() === null || !mayLoseDisk(node)) return
    takeAway(node)
  }

  const isHolder = ({ name }: SimulatedNode): boolean =>
    streams.some((_, log) => placements.now(log)?.nodes.includes(name) ?? true)

  const takeAway = (node: SimulatedNode): void => {
    say(node.name, 'is removed')
    node.crash(true)
    nodes.splice(nodes.indexOf(node), 1)
  }

  const crash = (losesDisk: boolean): void => {
    const node = someOwner()
    if (node.life() === null) return
    node.crash(losesDisk && mayLoseDisk(node))
    after(random.skewed(200, 10_000), () => startAgain(node))
  }

  const pause = (): void => {
    const node = someOwner()
    node.pause()
    const life = node.life()
    after(someMs(), () => {
      if (node.life() !== life) return
      if (random.chance(0.3)) life?.link.reconnect()
      node.resume()
    })
  }

  const cut = (): void => {
    const node = someOwner()
    const way = random.pick(['BOTH', 'BOTH', 'MUTE', 'DEAF'])
    node.faults.isMute = way !== 'DEAF'
    node.faults.isDeaf = way !== 'MUTE'
    say(node.name, `is cut off (${way.toLowerCase()})`)
    after(someMs(), () => mend(node))
  }

  const mend = (node: SimulatedNode): void => {
    if (!node.faults.isMute && !node.faults.isDeaf) return
    say(node.name, 'is connected')
    node.faults.isMute = false
    node.faults.isDeaf = false
    node.life()?.link.mended()
  }

  const slow = (): void => {
    const node = someOwner()
    node.faults.lateMs = random.skewed(10, leaseMs)
    say(node.name, `is ${Math.round(node.faults.lateMs)} ms away`)
    after(someMs(), () => {
      node.faults.lateMs = 0
    })
  }

  const fillDisk = (): void => {
    const node = someOwner()
    node.faults.diskFails = true
    say(node.name, 'has a full disk')
    after(random.skewed(100, 4000), () => {
      node.faults.diskFails = false
    })
  }

  const setClock = (): void => {
    const node = someNode()
    if (node.life() === null) return
    say(node.name, 'has another time')
    node.clock.setWall(random.between(-120_000, 120_000))
    after(random.skewed(1000, 10_000), () => node.clock.setWall(0))
  }

  const loseLeader = (): void => {
    const blindMs = random.chance(0.5) ? random.skewed(10, 1500) : 0
    const ms = random.skewed(50, 6000)
    for (const stream of random.chance(0.3) ? streams : [random.pick(streams)]) stream.loseLeader(ms, blindMs)
  }

  const deposeLeader = (): void => {
    const clients = nodes
      .filter(() => random.chance(0.4))
      .flatMap((node) => node.life()?.self.incarnation ?? [])
    if (clients.length > 0) random.pick(streams).depose(random.skewed(100, 4000), clients)
  }

  const loseAcknowledgements = (): void => {
    const stream = random.pick(streams)
    stream.loseAcknowledgements(random.between(0.2, 1))
    after(random.skewed(100, 3000), () => stream.loseAcknowledgements(0))
  }

  const stall = (): void => random.pick(streams).stallConsumers(someMs(), random.next())

  const move = (): void => {
    const log = random.below(streams.length)
    if (random.chance(0.3)) pins.delete(log)
    else pins.set(log, someNode().name)
    placements.pinned(log)
    invariants.pinned(log)
  }

  /** As an operator does before an update, or for good: then it does not come back, where others got what it held before it ends. */
  const leave = (): void => {
    const node = someNode()
    const life = node.life()
    if (life === null || node.isPaused()) return
    say(node.name, 'leaves')
    const isDrained = random.chance(0.5)
    const given = isDrained ? life.cluster.drain(nodes.length > nodesMin) : life.cluster.leave()
    const endLife = (): void => {
      if (node.life() !== life) return
      if (isDrained && nodes.length > nodesMin && !isHolder(node)) takeAway(node)
      else {
        node.crash(false)
        after(random.skewed(200, 3000), () => startAgain(node))
      }
    }
    void given.then(() => after(random.between(0, 3000), endLife))
    after(15_000, endLife)
  }

  /** Where all nodes are well, or will be very soon, what the servers lose is put back. */
  const losePower = (): void => {
    if (isCalm) return
    isCalm = true
    if (options.isReckless) {
      options.onForgiven()
      // Who remembers most is not there, and the others have not heard it.
      for (const stream of streams) stream.stallConsumers(2500, 0.9)
      after(2000, () => {
        for (let times = 0; times < 2; times++) random.pick([pause, cut, () => crash(false)])()
        takePower(0)
      })
      return
    }
    let wellSinceMs: number | null = null
    const endMs = nowMs() + 30_000
    const look = (): void => {
      if (isOver || nowMs() > endMs) {
        isCalm = false
        return
      }
      wellSinceMs = nodes.every((node) => node.isWell()) ? (wellSinceMs ?? nowMs()) : null
      if (wellSinceMs === null || nowMs() - wellSinceMs < 3000) {
        after(100, look)
        return
      }
      // Some have not heard the newest when it is lost.
      for (const stream of streams) if (random.chance(0.7)) stream.stallConsumers(2000, random.next())
      after(random.between(50, 1900), () => takePower(0.5))
    }
    look()
  }

  const takePower = (crashes: number): void => {
    if (isOver) {
      isCalm = false
      return
    }
    powerLosses += 1
    const awayMs = random.skewed(50, 3000)
    // Their disks may be gone as well. A node that has heard nothing yet would not know that there was a log, and begin another one.
    const mayLoseAll = nodes.every((node) => node.hasItsLogs())
    const losesAll = !options.isReckless && mayLoseAll && random.chance(0.15)
    for (const [log, stream] of streams.entries()) {
      const all = stream.records.length
      const some = Math.min(
        random.below(options.isReckless ? Math.min(40, logKept.records) : 8),
        mayLoseAll ? all : Math.max(0, all - 1),
      )
      const count = losesAll ? all : some
      invariants.powerLost(log, Math.max(0, stream.records.length - count))
      stream.losePower(count, awayMs, Math.max(1, stream.begin() - random.below(10)))
    }
    for (const node of nodes) node.life()?.link.reconnect()
    if (random.chance(crashes))
      for (const node of nodes) {
        if (random.chance(0.4)) continue
        node.crash(false)
        // Before anybody may claim.
        after(random.between(20, leaseMs / 3), () => startAgain(node))
      }
    const sinceMs = nowMs()
    const untilWhole = (): void => {
      const isWhole = streams.every(({ lost }) => lost.size === 0)
      if (isWhole || options.isReckless || isOver || nowMs() - sinceMs > 60_000) {
        if (!isWhole && !options.isReckless && !isOver)
          invariants.problem('what the servers lost is not put back')
        if (isWhole) recoveries += 1
        isCalm = false
        return
      }
      after(50, untilWhole)
    }
    untilWhole()
  }

  const kinds: readonly Kind[] = [
    { weight: 3, happen: () => crash(false) },
    { weight: 1, happen: () => crash(true) },
    { weight: 1, happen: join },
    { weight: 1, happen: remove },
    { weight: 4, happen: pause },
    { weight: 4, happen: cut },
    { weight: 2, happen: slow },
    { weight: 1, happen: fillDisk },
    { weight: 1, happen: setClock },
    { weight: 3, happen: loseLeader },
    { weight: 2, happen: deposeLeader },
    { weight: 2, happen: loseAcknowledgements },
    { weight: 2, happen: stall },
    { weight: 3, happen: move },
    { weight: 2, happen: leave },
    { weight: 2, happen: losePower },
  ]
  // A run with few kinds gets further into what those lead to.
  const chosen = kinds.filter(() => random.chance(0.6))
  const deck = chosen.flatMap((kind) => Array.from({ length: kind.weight }, () => kind))

  const next = (): void =>
    after(random.between(0, 2 * options.everyMs), () => {
      if (isOver) return
      if (!isCalm) random.pick(deck).happen()
      next()
    })
  if (deck.length > 0) next()

  return {
    /** Ends every fault. */
    heal: (): void => {
      isOver = true
      say('-', 'no more faults')
      for (const stream of streams) stream.heal()
      for (const node of nodes) {
        node.faults.lateMs = 0
        node.faults.diskFails = false
        node.clock.setWall(0)
        mend(node)
        node.resume()
        // One that leaves would take nothing again.
        node.start()
      }
    },
    counts: () => ({ powerLosses, recoveries }),
  }
}
