import { fnv1a } from '../../../engine/shared/hash.ts'
import { bounds } from '../../base/bounds.ts'
import type { SignedIn } from '../../identity/caller.ts'
import type { BodyStream } from '../../wire/transport.ts'
import type { Heard } from './feeds.ts'

/**
 * The live streams of this thread's connections. Each asks the owner of the account's shard for its next piece
 * once the reader has taken the one before, so that a slow reader costs no memory, and gets everything that came
 * meanwhile.
 */
export type LiveStreams = {
  /** A place among the streams of the session; null when it has as many as it may. */
  readonly take: (caller: SignedIn) => LivePlace | null
  /** Ends the streams of people who may no longer listen, after facts about sessions or people have come. */
  readonly recheck: () => void
}

export type LivePlace = {
  /** Begins to stream after the first piece. */
  readonly begin: (first: Heard, next: (place: string) => Promise<Heard>) => Required<BodyStream>
  /** Gives the place back unused. */
  readonly release: () => void
}

/** Memory that all workers of a node share, so that a session has its number of streams whichever workers they reach. */
export const newLiveStreamsMemory = (): SharedArrayBuffer => new SharedArrayBuffer(slots)

const slots = 1 << 20

/** Opens the streams of one thread. */
export const openLiveStreams = (options: {
  readonly memory: SharedArrayBuffer
  /** Whether a person is signed in, with the same permissions. */
  readonly isStillIn: (caller: SignedIn) => boolean
  readonly realNow: () => number
}): LiveStreams => {
  const { isStillIn, realNow } = options
  const counts = new Uint8Array(options.memory)
  const streams = new Map<Required<BodyStream>, SignedIn>()

  const newStream = (
    caller: SignedIn,
    first: Heard,
    ask: (place: string) => Promise<Heard>,
    release: () => void,
  ): Required<BodyStream> => {
    let { text, place } = first
    let hasEnded = false
    let writtenAtMs = realNow()
    /** Gives the waiting transport its piece. */
    let to: ((piece: string | null) => void) | null = null

    const send = (piece: string | null): void => {
      writtenAtMs = realNow()
      to?.(piece)
      to = null
    }
    const end = (): void => {
      if (hasEnded) return
      hasEnded = true
      streams.delete(stream)
      release()
      send(null)
    }
    const hear = (heard: Heard): void => {
      if (hasEnded) return
      if (realNow() >= caller.endsAtMs || !isStillIn(caller)) {
        end()
        return
      }
      text = heard.text
      place = heard.place
      step()
    }
    const step = (): void => {
      if (text !== '') {
        send(text)
        text = ''
      } else if (realNow() - writtenAtMs >= bounds.liveSilenceMs) send(comment)
      // If asking fails, the page connects again, to wherever the shard is by then.
      else ask(place).then(hear, end)
    }
    const stream = {
      next: () =>
        new Promise<string | null>((resolve) => {
          to = resolve
          if (hasEnded) send(null)
          else step()
        }),
      end,
    }
    streams.set(stream, caller)
    return stream
  }

  return {
    take: (caller) => {
      const slot = fnv1a(caller.session.id) & (slots - 1)
      if (Atomics.add(counts, slot, 1) >= bounds.liveStreamsOfSessionMax) {
        Atomics.sub(counts, slot, 1)
        return null
      }
      const release = (): void => void Atomics.sub(counts, slot, 1)
      return { begin: (first, ask) => newStream(caller, first, ask, release), release }
    },
    recheck: () => {
      for (const [stream, caller] of [...streams]) if (!isStillIn(caller)) stream.end()
    },
  }
}

/** Shows proxies and readers that the connection lives. */
const comment = ':\n\n'
