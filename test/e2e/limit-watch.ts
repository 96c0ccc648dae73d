/** What a service answers where a limit refuses. Where the limit counts by time, whether it is met depends on how fast the machine is. */
const limitCodes = ['RATE_LIMITED', 'TOO_MANY_ATTEMPTS', 'LOOKUP_QUOTA', 'SERVICE_UNAVAILABLE'] as const
export type Limit = (typeof limitCodes)[number]

export type LimitWatch = {
  /** Takes what the service wrote, in pieces of any size. */
  readonly read: (text: string) => void
  /** From now on refusals by this limit are what the test is about. */
  readonly expect: (limit: Limit) => void
  /** From now on the test is about no limit, as in the beginning. */
  readonly expectNone: () => void
}

/**
 * Reads in a service's log what it answered, whoever asked: clients of tests, pages in a browser, programs. Each refusal by a limit that
 * was not expected is reported in a sentence.
 */
export const watchLimits = (report: (sentence: string) => void, isOfCluster: boolean): LimitWatch => {
  const expected = new Set<string>()
  const expectNone = (): void => {
    expected.clear()
    // Nodes of a cluster answer 503 while a shard changes its owner.
    if (isOfCluster) expected.add('SERVICE_UNAVAILABLE')
  }
  expectNone()
  let begun = ''
  return {
    read: (text) => {
      const lines = (begun + text).split('\n')
      begun = lines.pop()!
      for (const line of lines) {
        const refusal = refusalIn(line)
        if (refusal !== null && !expected.has(refusal.code)) report(sentenceOf(refusal))
      }
    },
    expect: (limit) => void expected.add(limit),
    expectNone,
  }
}

type Refusal = {
  readonly verb: string
  readonly route: string | null
  readonly path: string
  readonly status: number
  readonly code: Limit
  readonly personId?: string
}

const refusalIn = (line: string): Refusal | null => {
  if (!line.endsWith('"msg":"answered"}') || !limitCodes.some((code) => line.includes(`"code":"${code}"`)))
    return null
  return JSON.parse(line)
}

const sentenceOf = (refusal: Refusal): string =>
  `${refusal.verb} ${refusal.path} was answered ${refusal.status} ${refusal.code} by a limit that the test did not ask for: ${limitOf(refusal)}. ` +
  `A faster or slower machine may not meet it: stay below it, or say expectLimit('${refusal.code}') where the test is about it.`

const limitOf = ({ code, path, personId }: Refusal): string => {
  switch (code) {
    case 'LOOKUP_QUOTA':
      return 'look-ups of PIX keys'
    case 'SERVICE_UNAVAILABLE':
      return 'what a shard has waiting for its journal, or a shard that is not there'
    case 'TOO_MANY_ATTEMPTS':
      return path === '/v1/conversions/quotes'
        ? 'the quotes of a person in a minute'
        : 'sign-ins and links of an address in a minute, wrong passwords or codes of a person, or passwords that wait to be hashed'
    case 'RATE_LIMITED':
      if (path === '/v1/live') return 'the live streams of a session'
      if (path.endsWith('/test')) return 'the test events of an endpoint in a minute'
      if (path.endsWith('/export'))
        return 'the exports of a key or session in a minute (RATE_LIMIT_EXPORT), or its requests'
      return `the requests of a ${personId === undefined ? 'key' : 'session'} in a second (RATE_LIMIT)`
  }
}
