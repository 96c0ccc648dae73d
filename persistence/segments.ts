import { packAs, unpackAs } from './codec.ts'
import { type IndexFact, indexFactLayout } from './index-facts.ts'
import { list } from './layout.ts'
import { limits } from './limits.ts'

/** Index facts on their way to the snapshot. They become bytes soon: as objects they would be what a collector of garbage copies most. */
export type Segments = {
  readonly add: (fact: IndexFact) => void
  readonly count: () => number
  /** All of them, packed, in order. */
  readonly take: () => readonly Buffer[]
}

export const newSegments = (): Segments => {
  let packed: Buffer[] = []
  let loose: IndexFact[] = []
  let count = 0
  const pack = (): void => {
    packed.push(packAs(segmentLayout, loose))
    loose = []
  }
  return {
    add: (fact) => {
      count += 1
      loose.push(fact)
      if (loose.length === limits.segmentFactsMax) pack()
    },
    count: () => count,
    take: () => {
      if (loose.length > 0) pack()
      const taken = packed
      packed = []
      count = 0
      return taken
    },
  }
}

export const readSegment = (bytes: Buffer): readonly IndexFact[] => unpackAs(segmentLayout, bytes)

const segmentLayout = list(indexFactLayout)
