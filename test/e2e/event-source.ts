import { type ClientRequest, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

/** What an EventSource makes of the lines of a stream (HTML, section 9.2.6). */
export type SentEvent = { readonly id: string; readonly type: string; readonly data: any }

export type Listened = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The id that a browser would resume from. */
  readonly lastEventId: () => string
  /** Resolves to the first event that fits, of those not yet taken. */
  readonly event: (fits?: (event: SentEvent) => boolean) => Promise<SentEvent>
  readonly comment: () => Promise<void>
  /** Resolves when the server has ended the stream; to whether it was whole. */
  readonly ended: Promise<boolean>
  readonly close: () => void
}

/** Connects as a browser does, over a connection of its own. Resolves when the head has come. */
export const listenTo = (
  url: string,
  headers: Readonly<Record<string, string>>,
  lastEventId?: string,
): Promise<Listened> =>
  new Promise((resolve, reject) => {
    const own = {
      ...headers,
      Accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    }
    const request = get(url, { agent: false, headers: own }, (response) =>
      resolve(listened(request, response)),
    )
    request.on('error', reject)
  })

const listened = (request: ClientRequest, response: IncomingMessage): Listened => {
  let text = ''
  let comments = 0
  let id = ''
  const events: SentEvent[] = []
  let wake: () => void = () => undefined
  const read = (block: string): void => {
    let [type, data] = ['message', '']
    for (const line of block.split('\n')) {
      const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line)!
      if (name === '') comments += 1
      if (name === 'id') id = value!
      if (name === 'event') type = value!
      if (name === 'data') data += value
    }
    if (data !== '') events.push({ id, type, data: JSON.parse(data) })
  }
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      read(text.slice(0, end))
      text = text.slice(end + 2)
    }
    wake()
  })
  let hasEnded = false
  const ended = new Promise<boolean>((resolve) => {
    response.on('error', () => undefined)
    response.on('close', () => {
      hasEnded = true
      wake()
      resolve(response.complete)
    })
  })
  /** Waits for what comes; the test's own time limit is the bound. */
  const until = async <Found>(find: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (hasEnded) throw new Error(`the stream ended; heard ${JSON.stringify(events)} ${text}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    status: response.statusCode!,
    headers: response.headers,
    lastEventId: () => id,
    event: (fits = () => true) =>
      until(() => {
        const at = events.findIndex(fits)
        return at < 0 ? undefined : events.splice(0, at + 1).at(-1)
      }),
    comment: async () => {
      const before = comments
      await until(() => (comments > before ? true : undefined))
    },
    ended,
    close: () => request.destroy(),
  }
}
