import { randomBytes } from 'node:crypto'
import t from 'tap'
import { evolveSessions, newSessions } from '../../../engine/people/evolve.ts'
import type { Mail } from '../../../gateway/mail/mailer.ts'
import { openMailOutbox } from '../../../gateway/mail/outbox.ts'

/** An outbox whose server takes a mail when the test lets it. */
const newOutbox = () => {
  const sessions = newSessions()
  const begun: string[] = []
  const troubles: string[] = []
  const server: { end: (error?: Error) => void; recordFails: boolean } = {
    end: () => undefined,
    recordFails: false,
  }
  let wake: () => void = () => undefined
  let ids = 0
  const outbox = openMailOutbox({
    sessions,
    record: async (facts) => {
      if (server.recordFails) throw new Error('the disk is full')
      for (const fact of facts) evolveSessions(sessions, fact)
    },
    mailer: ({ subject }: Mail) =>
      new Promise<void>((resolve, reject) => {
        begun.push(subject)
        server.end = (error) => (error === undefined ? resolve() : reject(error))
        wake()
      }),
    write: async () => null,
    adoptedAfterMs: 0,
    masterKey: randomBytes(32),
    realNow: () => 0,
    newId: () => String(++ids),
    onTrouble: (error) => void troubles.push((error as Error).message),
  })
  return {
    outbox,
    server,
    begun,
    troubles,
    sessions,
    queue: (subject: string) =>
      void evolveSessions(sessions, outbox.queued({ to: 'ana@example.com', subject, text: '' })),
    /** Resolves when the server has been given so many. */
    given: async (count: number) => {
      while (begun.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
  }
}

t.test('a mail that is queued while another is on its way goes right after it', async (t) => {
  const { outbox, server, begun, queue, given, sessions } = newOutbox()
  queue('one')
  const sent = outbox.send()
  await given(1)
  queue('two')
  void outbox.send()
  server.end()
  await given(2)
  server.end()
  await sent
  t.strictSame(begun, ['one', 'two'])
  t.equal(sessions.mails.size, 0)
})

t.test('so does one that is queued at the very moment in which the last one was sent', async (t) => {
  for (let turns = 0; turns < 12; turns++) {
    const { outbox, server, queue, given } = newOutbox()
    queue('one')
    void outbox.send()
    await given(1)
    server.end()
    for (let n = 0; n < turns; n++) await Promise.resolve()
    queue('two')
    void outbox.send()
    await given(2)
    server.end()
    t.pass(`after ${turns} turns`)
  }
})

t.test('what the server refuses holds up nothing, and is tried again at the next call', async (t) => {
  const { outbox, server, begun, queue, given, troubles } = newOutbox()
  queue('one')
  queue('two')
  const sent = outbox.send()
  await given(1)
  server.end(new Error('mailbox full'))
  await given(2)
  server.end()
  await sent
  t.strictSame([begun, troubles], [['one', 'two'], ['mailbox full']])
  const again = outbox.send()
  await given(3)
  server.end()
  await again
  t.equal(begun.at(-1), 'one')
})

t.test('a disk that is full ends nothing: the mail is sent once more', async (t) => {
  const { outbox, server, begun, queue, given, troubles } = newOutbox()
  queue('one')
  server.recordFails = true
  const sent = outbox.send()
  await given(1)
  server.end()
  await sent
  t.strictSame(troubles, ['the disk is full'])
  server.recordFails = false
  const again = outbox.send()
  await given(2)
  server.end()
  await again
  t.strictSame(begun, ['one', 'one'])
})
