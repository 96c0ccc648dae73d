import t from 'tap'
import { evolveDirectory, newDirectory } from '../../../../engine/companies/evolve.ts'
import { evolveSessions, newSessions } from '../../../../engine/people/evolve.ts'
import type { Roles } from '../../../../engine/people/permission.ts'
import type { PersonId, SessionId } from '../../../../engine/shared/ids.ts'
import { bounds } from '../../../../gateway/base/bounds.ts'
import type { Heard } from '../../../../gateway/events/live/feeds.ts'
import { newLiveStreamsMemory, openLiveStreams } from '../../../../gateway/events/live/streams.ts'
import type { SignedIn } from '../../../../gateway/identity/caller.ts'
import { sessionKeysOf, setCookieOf, tokenHash } from '../../../../gateway/identity/session-cookie.ts'
import { openSessionGate } from '../../../../gateway/identity/session-gate.ts'
import { aCompany } from '../../../engine/companies/entries.ts'

const startMs = Date.UTC(2026, 10, 20, 12)
const keys = sessionKeysOf(Buffer.alloc(32, 7))
const secret = 's'.repeat(43)
const personId = 'per_1' as PersonId
const sessionId = 'ses_1' as SessionId
const membershipId = 'mbr_1' as never
const everywhere = (role: Roles['SANDBOX']): Roles => ({ SANDBOX: role, PRODUCTION: role })

/** A person who is signed in since twelve o'clock, at two threads that share what they count. */
const openWorld = () => {
  let nowMs = startMs
  const company = aCompany({})
  const directory = newDirectory()
  const sessions = newSessions()
  const invitation = {
    id: 'ivt_1' as never,
    companyId: company.id,
    email: 'ana@example.com',
    name: 'Ana',
    roles: everywhere('OWNER'),
    tokenHash: '',
    invitedBy: null,
    createdAtMs: startMs,
    expiresAtMs: startMs + 1,
    status: 'OPEN',
    sealedKey: null,
    acceptedBy: null,
  } as const
  const person = {
    id: personId,
    sealedKey: null,
    email: 'ana@example.com',
    name: 'Ana',
    language: 'pt',
    theme: 'SYSTEM',
    passwordHash: null,
    sealedTotpSecret: 'sealed',
    recoveryCodeHashes: [],
    passkeys: [],
    browsers: [],
    factorFrozenUntilMs: null,
    credentialGeneration: 0,
    createdAtMs: startMs,
    updatedAtMs: startMs,
  } as const
  evolveDirectory(directory, { type: 'CompanyCreated', company })
  evolveDirectory(directory, { type: 'InvitationCreated', invitation, atMs: startMs })
  evolveDirectory(directory, {
    type: 'InvitationAccepted',
    id: invitation.id,
    person,
    membership: {
      id: membershipId,
      personId,
      companyId: company.id,
      roles: invitation.roles,
      createdAtMs: startMs,
      removedAtMs: null,
    },
    atMs: startMs,
  })
  evolveSessions(sessions, {
    type: 'SessionOpened',
    session: {
      id: sessionId,
      personId,
      secretHash: tokenHash(secret),
      stage: 'FULL',
      factorAtMs: startMs,
      sealedPendingTotp: null,
      pendingTotpStep: 0,
      credentialGeneration: 0,
      ip: '192.0.2.1',
      userAgent: '',
      createdAtMs: startMs,
      endsAtMs: startMs + bounds.sessionMs,
    },
  })
  const gate = openSessionGate({
    directory,
    sessions,
    keys,
    origins: () => [],
    isCurrent: () => true,
  })
  const memory = newLiveStreamsMemory()
  const [own, sibling] = [0, 1].map(() =>
    openLiveStreams({ memory, isStillIn: gate.isStillIn, realNow: () => nowMs }),
  )
  /** As a connection comes, with a cookie that was last used at that time. */
  const admitted = (usedAtMs = nowMs): SignedIn => {
    const cookie = setCookieOf(secret, usedAtMs, keys).split(';')[0]!
    const request = {
      verb: 'GET',
      path: '/v1/live',
      query: `serviceCompany=${company.id}&serviceEnvironment=SANDBOX`,
      headers: { cookie },
      repeatedHeaders: [],
      body: Buffer.alloc(0),
      remoteAddress: '192.0.2.1',
    }
    const { caller } = gate.admit(request, 'MEMBER', nowMs)
    if (caller === null || 'code' in caller) throw new Error(JSON.stringify(caller))
    return caller
  }
  /** What the owner of the shard is asked, and how it answers. */
  const asked: {
    readonly place: string
    readonly answer: (heard: Heard) => void
    readonly fail: () => void
  }[] = []
  const ask = (place: string): Promise<Heard> =>
    new Promise((resolve, reject) =>
      asked.push({ place, answer: resolve, fail: () => reject(new Error('the shard has moved')) }),
    )
  const listen = (caller = admitted()) => own!.take(caller)!.begin({ text: 'first', place: '0' }, ask)
  return {
    directory,
    sessions,
    own: own!,
    sibling: sibling!,
    admitted,
    asked,
    listen,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

t.test('each piece is asked for when the reader has taken the one before', async (t) => {
  const { asked, listen } = openWorld()
  const stream = listen()
  t.equal(await stream.next(), 'first')
  t.equal(asked.length, 0)
  const next = stream.next()
  asked[0]!.answer({ text: '', place: '1' })
  await Promise.resolve()
  t.strictSame(
    asked.map(({ place }) => place),
    ['0', '1'],
    'silence is no piece',
  )
  asked[1]!.answer({ text: 'second', place: '2' })
  t.equal(await next, 'second')
  const last = stream.next()
  asked[2]!.fail()
  t.equal(await last, null, 'where the owner is gone, the page connects again')
})

t.test('a comment breaks a long silence', async (t) => {
  const { asked, listen, pass } = openWorld()
  const stream = listen()
  await stream.next()
  const next = stream.next()
  pass(bounds.liveSilenceMs)
  asked[0]!.answer({ text: '', place: '1' })
  t.equal(await next, ':\n\n')
  t.ok(bounds.liveSilenceMs + bounds.liveHoldMs < 15_000)
})

t.test('a stream ends when the person signs out, whatever it waits for', async (t) => {
  const { sessions, own, listen } = openWorld()
  const stream = listen()
  await stream.next()
  const next = stream.next()
  evolveSessions(sessions, { type: 'SessionsEnded', ids: [sessionId] })
  own.recheck()
  t.equal(await next, null)
  t.equal(await stream.next(), null)
})

t.test('a stream goes on while the session gets a new secret, and ends with the role', async (t) => {
  const { directory, sessions, own, asked, listen } = openWorld()
  const stream = listen()
  await stream.next()
  const next = stream.next()
  evolveSessions(sessions, { type: 'SessionChanged', id: sessionId, changes: { secretHash: 'other' } })
  evolveDirectory(directory, {
    type: 'PersonChanged',
    id: personId,
    changes: { theme: 'DARK' },
    atMs: startMs,
  })
  own.recheck()
  asked[0]!.answer({ text: 'second', place: '1' })
  t.equal(await next, 'second')
  const last = stream.next()
  evolveDirectory(directory, {
    type: 'MembershipChanged',
    id: membershipId,
    roles: everywhere('VIEWER'),
    atMs: startMs,
  })
  own.recheck()
  t.equal(await last, null)
})

t.test('a stream ends with the membership', async (t) => {
  const { directory, own, listen } = openWorld()
  const stream = listen()
  await stream.next()
  const next = stream.next()
  evolveDirectory(directory, { type: 'MembershipRemoved', id: membershipId, atMs: startMs })
  own.recheck()
  t.equal(await next, null)
})

t.test('nothing is told after the idle or the absolute end of the session', async (t) => {
  for (const usedAtMs of [startMs, startMs - bounds.sessionIdleMs + 120_000]) {
    const { asked, admitted, listen, pass } = openWorld()
    const caller = admitted(usedAtMs)
    t.ok(caller.endsAtMs <= startMs + bounds.sessionIdleMs + 60_000, 'the page itself keeps no session alive')
    const stream = listen(caller)
    await stream.next()
    const next = stream.next()
    pass(caller.endsAtMs - startMs)
    asked[0]!.answer({ text: 'late', place: '1' })
    t.equal(await next, null)
  }
  const { admitted, pass } = openWorld()
  pass(bounds.sessionMs - 1)
  t.equal(admitted().endsAtMs, startMs + bounds.sessionMs)
})

t.test('a session has five streams, whichever threads they reach', async (t) => {
  const { own, sibling, admitted, listen } = openWorld()
  const caller = admitted()
  const streams = [listen(), listen(), listen()]
  const places = [sibling.take(caller), sibling.take(caller)]
  t.equal(own.take(caller), null)
  t.equal(sibling.take(caller), null)
  streams[0]!.end()
  streams[0]!.end()
  t.not(own.take(caller), null)
  t.equal(own.take(caller), null, 'an end gives one place back, however often it is told')
  places[0]!.release()
  t.not(sibling.take(caller), null)
})
