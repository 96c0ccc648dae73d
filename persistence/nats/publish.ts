import { bounds } from '../base/bounds.ts'
import { StreamAway, type StreamMessage } from '../stream/stream.ts'
import type { Stored } from './lost-events.ts'
import { headersOf, subjectOf } from './message.ts'
import { BatchRefused, publishTogether } from './publish-together.ts'
import { noteStored, type Publication, type StreamLink } from './stream-link.ts'
import { errorText } from './troubles.ts'

/**
 * Publishes an event with all others that come until the next publication is due: servers agree on a batch once and
 * flush once for all of it. After a pause the next publication is due at the end of the turn.
 */
export const publish = (link: StreamLink, message: StreamMessage): Promise<void> =>
  new Promise((resolve, reject) => {
    link.gathered.push({ message, resolve, reject })
    link.throttle(() => publishGathered(link))
  })

const publishGathered = (link: StreamLink): void => {
  const all = link.gathered
  link.gathered = []
  for (let first = 0; first < all.length; first += bounds.eventsTogetherMax)
    void publishSome(link, all.slice(first, first + bounds.eventsTogetherMax))
}

const publishSome = async (link: StreamLink, publications: readonly Publication[]): Promise<void> => {
  if (link.takesBatches && link.client !== null && publications.length > 1) {
    try {
      const messages = publications.map(({ message }) => message)
      const sequence = await publishTogether(link.connection!, messages, bounds.natsTimeoutMs)
      taken(link, { id: messages.at(-1)!.id, sequence })
      for (const { resolve } of publications) resolve()
      return
    } catch (error) {
      // One event may be a repeat, for example: then each is published separately.
      if (!(error instanceof BatchRefused)) {
        for (const publication of publications) refused(link, publication, error)
        return
      }
    }
  }
  await Promise.all(publications.map((publication) => publishOne(link, publication)))
}

const publishOne = async (link: StreamLink, publication: Publication): Promise<void> => {
  const { message, resolve, reject } = publication
  if (link.client === null) {
    reject(new StreamAway('NATS is away'))
    return
  }
  try {
    const ack = await link.client.publish(subjectOf(message), message.body, { headers: headersOf(message) })
    // Before the first copy of a repeat is committed, older servers answer without a sequence.
    if (ack.seq === 0) throw new Error('it is not stored yet')
    taken(link, { id: message.id, sequence: ack.seq })
    resolve()
  } catch (error) {
    refused(link, publication, error)
  }
}

const taken = (link: StreamLink, event: Stored): void => {
  noteStored(link, event)
  link.isRefusing = false
}

const refused = (link: StreamLink, { message, reject }: Publication, error: unknown): void => {
  link.isRefusing = true
  link.lookAgain()
  reject(new StreamAway(`NATS does not take event ${message.id}: ${errorText(error)}`))
}
