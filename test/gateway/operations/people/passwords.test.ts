import t from 'tap'
import { openPasswordHasher } from '../../../../gateway/identity/password-hash.ts'
import { requireGoodPassword } from '../../../../gateway/operations/people/password-rules.ts'
import type { OperationRefusal } from '../../../../gateway/problems/refusal.ts'

const names = ['Ana Souza', 'ana.souza@example.com', 'Padaria Estrela Ltda']
const codeOf = (password: string, known: readonly string[] = names): Promise<string | null> =>
  requireGoodPassword(password, known).then(
    () => null,
    (error: unknown) => (error as InstanceType<typeof OperationRefusal>).code,
  )

t.test('passwords that a guesser tries first are refused', async (t) => {
  for (const password of [
    'Password1234',
    'P@ssw0rd!!!!',
    '123456dragon!',
    '!!!SUNSHINE2026!!!',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    '12121212121212',
    '123456789012',
    'qwertyuiopas',
    'abcdefghijkl',
    'lkjhgfdsapoiu',
    'Estrela202611',
    'anasouza2026!!',
    '--padaria--2026',
  ])
    t.equal(await codeOf(password), 'PASSWORD_TOO_COMMON', password)
})

t.test('so are those that are made of names that others know, however they are written', async (t) => {
  const known = [
    'João S. Conceição',
    'joao.conceicao99@lojademo.com.br',
    'Loja Demo Ltda',
    'Café & Pão S/A',
    'LojaDemo',
    'L1vros 24 Horas EIRELI',
  ]
  for (const password of [
    'Joao Conceicao 1234',
    'JOÃO CONCEIÇÃO 2026!',
    'conceicao.joao.7',
    'J040 C0nc31c40 !!',
    'j-o-a-o-2026-2026',
    'joaosconceicao',
    'Loja Demo Ltda 2026',
    'Loja Demo S.A. 2026',
    'LojaDemo2026',
    'L0j@ D3m0 2026',
    'demo loja demo 1',
    'cafe e pao 2026',
    'Cafepão SA 1234',
    'Livros24Horas',
    'L1vr0s Eireli 24',
    'joao.conceicao99@lojademo.com.br',
    'joaoconceicao99',
    'conceicao da loja demo',
  ])
    t.equal(await codeOf(password, known), 'PASSWORD_TOO_COMMON', password)
})

t.test('a word more makes a phrase of them', async (t) => {
  for (const password of [
    'o cachorro da Ana come grampo',
    'padaria correto bateria',
    'Ana Souza gosta de azul 7',
    'estrelado mingau 41',
    'ananas maduro 1234',
    '7x!Estrela-grampo',
  ])
    t.equal(await codeOf(password), null, password)
})

t.test('a common word is found behind accents and look-alikes', async (t) => {
  for (const password of ['$unshine2026', 'sùnshíne202611', '2026pa$$w0rd', 'we1come20261'])
    t.equal(await codeOf(password), 'PASSWORD_TOO_COMMON', password)
})

t.test('others are taken, whatever they are made of', async (t) => {
  for (const password of [
    'cavalo bateria grampo correto',
    'ção çãé ßüõ ñandú',
    'k7#mQ9!vX2$p',
    '839274610285',
    'xxxcorreto grampo',
    '🦜🐎🔋📎 ok ok ok 9',
  ])
    t.equal(await codeOf(password), null, password)
  t.equal(await codeOf('k7#mQ9!vX2$'), 'VALIDATION_ERROR', 'eleven characters')
  t.equal(await codeOf('k7#'.repeat(43)), 'VALIDATION_ERROR', '129 characters')
})

t.test('a password is hashed with argon2id, and known however it is composed', async (t) => {
  const hasher = openPasswordHasher()
  const stored = await hasher.hash('ação e reação 12')
  t.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.ok(await hasher.isRight('ação e reação 12'.normalize('NFD'), stored))
  t.notOk(await hasher.isRight('acao e reacao 12', stored))
  t.notOk(await hasher.isRight('ação e reação 12', null), 'nobody has no password')
  t.notOk(hasher.isOutdated(stored))
  t.ok(hasher.isOutdated(stored.replace('m=19456', 'm=4096')))
})

t.test('an unknown person takes the work of a known one', async (t) => {
  const verified: string[] = []
  const hasher = openPasswordHasher(async () => ({
    hash: async () => 'of nobody',
    verify: async (stored) => {
      verified.push(stored)
      return true
    },
  }))
  t.strictSame([await hasher.isRight('x', null), await hasher.isRight('x', 'of Ana')], [false, true])
  t.strictSame(verified, ['of nobody', 'of Ana'])
})

t.test('the fallback makes the same text', async (t) => {
  const { argon2Verify } = await import('hash-wasm')
  const stored = await openPasswordHasher().hash('cavalo bateria grampo')
  t.ok(await argon2Verify({ hash: stored, password: 'cavalo bateria grampo' }))
})

t.test('no more hashes wait than can be worked off', async (t) => {
  const open: (() => void)[] = []
  const hasher = openPasswordHasher(async () => ({
    hash: () => new Promise((resolve) => void open.push(() => resolve('$'))),
    verify: async () => true,
  }))
  const asked = Array.from({ length: 60 }, () =>
    hasher.hash('x').then(
      () => 'HASHED',
      ({ code }) => code as string,
    ),
  )
  while (open.length < 2) await new Promise((resolve) => setImmediate(resolve))
  t.equal(open.length, 2, 'two at once')
  let done = 0
  for (const one of asked) void one.then(() => done++)
  while (done < 60) {
    for (const finish of open.splice(0)) finish()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const outcomes = await Promise.all(asked)
  t.equal(outcomes.filter((outcome) => outcome === 'HASHED').length, 52)
  t.equal(outcomes.filter((outcome) => outcome === 'TOO_MANY_ATTEMPTS').length, 8)
})
