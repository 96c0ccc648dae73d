import t from 'tap'
import { accountIdOf } from '../../engine/shared/ids.ts'
import { shardOf } from '../../gateway/link/router.ts'
import { proxied, startCluster } from '../cluster/cluster.ts'
import { confirmApp, openBrowser, password } from './person.ts'
import { type Answer, newMerchant, posted, type Service, startReceiver, until } from './service.ts'

/** Money that leaves through node a, of a shard of node b, which is killed between what the bank did and what it answered. */
t.test('the owner of a shard is killed with a transfer at the bank: one payment', async (t) => {
  const cluster = await startCluster(t, { refusesAttempts: false, workers: 1 })
  const nodeOf = (name: string) => cluster.nodes.get(name)!
  const [first, third] = [nodeOf('a').service!, nodeOf(proxied).service!]
  const { company } = await newMerchant(first)
  for (const environment of ['SANDBOX', 'PRODUCTION'] as const)
    await cluster.move(shardOf(accountIdOf(company.id, environment), 4), 'b')
  await cluster.settled()
  const receiver = await startReceiver(t)
  const receives = { company: company.id, environment: 'sandbox', url: receiver.url }
  await first.operate('webhooks create', receives)

  /** A person with an authenticator app that shows three codes within a minute, its first to confirm it. */
  const joined = async (email: string) => {
    const { link } = await first.operate('people invite', { company: company.id, email, role: 'owner' })
    const browser = openBrowser(first.origin)
    const token = link.slice(link.indexOf('#') + 1)
    await posted(browser.call, '/v1/invitations/accept', { token, name: 'Ana Souza', password })
    const { secret } = await posted(browser.call, '/v1/me/totp', {})
    const { code } = await confirmApp(browser, secret)
    const at = ({ origin }: Service) => browser.via(origin).at(company.id)
    const signed = (node: Service, path: string, body: object, key = path): Promise<Answer> =>
      at(node).call('POST', path, body, {
        'Idempotency-Key': key,
        'Service-Second-Factor': `totp ${code()}`,
      })
    return { at, signed }
  }
  const [ana, bia] = [await joined('ana@example.com'), await joined('bia@example.com')]
  await posted(ana.at(first).call, '/v1/sandbox/pix/received', { amount: 100_000 })
  const beneficiary = await ana.signed(first, '/v1/beneficiaries', {
    name: 'Comercial Aurora Ltda',
    document: '11444777000161',
    bankCode: '341',
    branch: '1234',
    account: '1',
    accountType: 'CHECKING',
  })
  t.equal(beneficiary.status, 201)
  const wanted = { fromCurrency: 'BRL', toCurrency: 'USDT', fromAmount: 10_000 }
  const quote = await posted(bia.at(third).call, '/v1/conversions/quotes', wanted)
  const conversion = await bia.signed(third, '/v1/conversions', { quoteId: quote.id })
  t.match(conversion, { status: 201, body: { status: 'COMPLETED' } })
  const transfer = {
    kind: 'PIX',
    beneficiaryId: beneficiary.body.id,
    amount: 60_000,
    metadata: { sandboxScenario: 'transfer_silent' },
  }
  const sent = await ana.signed(first, '/v1/transfers', transfer)
  t.match(sent, { status: 201, body: { status: 'PROCESSING' } })

  await nodeOf('b').kill()
  // The same key, at another node, of a shard that has another owner by now.
  const repeated = (path: string, body: object, by: typeof ana) =>
    by.at(third).call('POST', path, body, { 'Idempotency-Key': path })
  let again = await repeated('/v1/transfers', transfer, ana)
  await until(async () => {
    if (again.status === 503) again = await repeated('/v1/transfers', transfer, ana)
    return again.status !== 503
  })
  t.match(again, { status: 201, body: { id: sent.body.id } })
  t.match(await repeated('/v1/conversions', { quoteId: quote.id }, bia), {
    status: 201,
    body: { id: conversion.body.id },
  })
  await posted(ana.at(third).call, '/v1/sandbox/clock/advance', { by: 'PT1H' })
  const get = (node: Service, path: string) => ana.at(node).call('GET', path)
  await until(async () => (await get(third, `/v1/transfers/${sent.body.id}`)).body.status === 'COMPLETED')
  for (const node of [first, third]) {
    t.equal((await get(node, '/v1/transfers')).body.data.length, 1)
    t.equal((await get(node, '/v1/conversions')).body.data.length, 1)
    t.match((await get(node, '/v1/balance')).body, { available: '30000', blocked: '0' })
  }
  const heard = (type: string, id: string): number =>
    new Set(
      receiver.heard
        .filter(({ event }) => event.type === type && event.data.id === id)
        .map(({ event }) => event.id),
    ).size
  await until(async () => heard('transfer.completed', sent.body.id) > 0)
  t.strictSame(
    [
      heard('transfer.scheduled', sent.body.id),
      heard('transfer.completed', sent.body.id),
      heard('conversion.completed', conversion.body.id),
    ],
    [1, 1, 1],
  )
})
