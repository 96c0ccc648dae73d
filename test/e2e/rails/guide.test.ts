import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { type Block, blocksOf, readDocument } from '../../docs/documents.ts'
import { runBlocks } from '../../docs/run-blocks.ts'
import { aBeneficiary } from '../../rails/live-person.ts'
import { startRailHost } from '../../rails/live-service.ts'
import { enrol } from '../person.ts'
import { until } from '../service.ts'

/**
 * The guide to banks as a new operator types it: its commands in their order, at a simulated bank that is a process of its own. What the guide
 * leaves out is not done here either.
 */

const reason = 'needs a bank; a test runs it at simulated ones'
const guide = blocksOf(readDocument('en/banks.md')).filter(({ notRun }) => notRun === reason)

/** What a bank gives its customer: the line that the simulator prints, with files. */
const startBank = async (t: Test, bank: string, folder: string, trusted: string): Promise<any> => {
  const main = join(import.meta.dirname, '../../rails/api-pix/main.js')
  const child = spawn(
    process.execPath,
    [main, '--bank', bank, '--folder', join(folder, bank), '--trusted', trusted],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  t.teardown(() => {
    child.kill('SIGTERM')
    return ended
  })
  return JSON.parse(await new Promise((resolve) => createInterface(child.stdout).once('line', resolve)))
}

/** The file of settings that the guide describes, with the operator's part for a simulator. */
const settingsFor = (given: any, more: object): object => ({
  ...{ clientId: given.clientId, pixKey: given.chave, merchantName: 'Loja Azul', merchantCity: 'Recife' },
  certificate: readFileSync(given.certificate, 'utf8'),
  privateKey: readFileSync(given.key, 'utf8'),
  ...{ apiAddress: given.url, tokenAddress: given.tokenUrl },
  serverAuthority: readFileSync(given.authority, 'utf8'),
  ...more,
})

/** Has a shell pay the charge, and wait as long as the guide says. */
const pays = (control: string, line: number): Block => ({
  ...{ language: 'sh', fileName: '', line, notRun: null },
  text: `curl -sf ${control}/pay -d "{\\"code\\": $(jq .copyPaste first.json)}" > paid.json
until curl -s "$API/v1/pix/charges/$(jq -r .id first.json)" -H "Authorization: Bearer $KEY" | jq -e '.status == "APPROVED"' > /dev/null; do sleep 0.2; done
echo "$COMPANY $CONNECTION"`,
})

/** Types the commands of the first payment, and resolves with what each printed. */
const firstPayment = async (
  t: Test,
  bank: string,
  settings: object,
  { control }: { readonly control: string },
  service: { readonly origin: string; readonly dataDir: string },
): Promise<readonly string[]> => {
  const file = { language: 'json', fileName: `${bank}.json`, text: JSON.stringify(settings) }
  const [connect, ...after] = guide.map((block): Block => ({ ...block, notRun: null }))
  const blocks = [{ ...file, line: 0, notRun: null }, connect!, pays(control, 1), ...after]
  const env = { DATA_DIR: service.dataDir, API: service.origin, NO_COLOR: '1' }
  const run = await runBlocks(t, blocks, env, (text) => text.replaceAll('efi', bank))
  t.equal(run.status, 0, `${run.errors}\n${[...run.printed.values()].join('\n')}`)
  return [...run.printed.values()]
}

/** The service with its port for reports, and a bank that trusts it. */
const startBoth = async (t: Test, name: string) => {
  const host = await startRailHost(t, { env: { WORKERS: '1' } })
  const folder = mkdtempSync(join(tmpdir(), 'guide-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const trusted = join(folder, 'ours.pem')
  writeFileSync(trusted, host.authority)
  return { bank: await startBank(t, name, folder, trusted), service: host.service() }
}

/** Who may report: names as the guide's command prints them. */
const noticesOf = (given: any, noticeIssuer: string): object => ({
  ...{ noticeIssuer, noticeSubject: `CN=hooks.${given.bank}.example` },
  noticeAuthority: readFileSync(given.authority, 'utf8'),
})

t.test('the guide has the three steps of the first payment', async (t) => {
  t.strictSame(
    guide.map(({ text }) => /connections create|pix\/charges\/\$CHARGE|refund"/.exec(text)?.[0]),
    ['connections create', 'pix/charges/$CHARGE', 'refund"'],
  )
  const portuguese = blocksOf(readDocument('pt/banks.md')).filter(({ notRun }) => notRun === reason)
  t.strictSame(
    portuguese.map(({ text }) => text),
    guide.map(({ text }) => text),
  )
})

t.test('Efí: the first payment, a refund, and a transfer by a person who was invited', async (t) => {
  const { bank, service } = await startBoth(t, 'efi')
  const notices = noticesOf(bank, String.raw`CN=Ef\C3\AD CA`)
  const settings = settingsFor(bank, { clientSecret: bank.clientSecret, ...notices })
  const [connected, ids, paid, refunded] = await firstPayment(t, 'efi', settings, bank, service)
  t.match(connected, /works +true/, 'what verify said is in its answer')
  t.match(connected, /status +ACTIVE/)
  t.match(connected, /^000201\d+.*6304[0-9A-F]{4}$/m, 'the code that a payer pastes')
  t.match(JSON.parse(paid!), { status: 'APPROVED', paidAmount: '100', feeAmount: '1' })
  t.match(JSON.parse(refunded!), { status: /^(PROCESSING|COMPLETED)$/, amount: '50' })

  const [companyId] = ids!.trim().split(' ')
  const { link } = await service.operate('people invite', {
    ...{ company: companyId, email: 'ana@example.com', name: 'Ana Souza', role: 'owner' },
  })
  const ana = await enrol(service, link, 'ana@example.com')
  const at = ana.browser.at(companyId!, 'PRODUCTION')
  const sign = (path: string, body: object) =>
    at.call('POST', path, body, { 'Service-Second-Factor': `totp ${ana.code()}` })
  const { body: beneficiary } = await sign('/v1/beneficiaries', aBeneficiary)
  t.match(beneficiary, { status: 'COOLING_OFF' })
  const { status, body: made } = await sign('/v1/transfers', {
    ...{ kind: 'PIX', amount: 40, beneficiaryId: beneficiary.id },
  })
  t.equal(status, 201)
  const read = async () => (await at.call('GET', `/v1/transfers/${made.id}`)).body
  await until(async () => ['COMPLETED', 'FAILED'].includes((await read()).status))
  t.match(await read(), { status: 'COMPLETED', endToEndId: /^E/, failureReason: null })
  const sends: any = await (await fetch(`${bank.control}/sends`)).json()
  t.match(sends, [{ cents: 40 }])
})

t.test('Sicoob: the first payment and a refund, without a secret', async (t) => {
  const { bank, service } = await startBoth(t, 'sicoob')
  const settings = settingsFor(bank, noticesOf(bank, 'CN=Sicoob CA'))
  const [connected, , paid, refunded] = await firstPayment(t, 'sicoob', settings, bank, service)
  t.match(connected, /notices +REPORTED/)
  t.match(JSON.parse(paid!), { status: 'APPROVED', paidAmount: '100' })
  t.match(JSON.parse(refunded!), { amount: '50' })
})

t.test('an issuer that is another than the bank shows is seen, and can be mended', async (t) => {
  const { bank, service } = await startBoth(t, 'efi')
  const { clientSecret } = bank
  const { id: company } = await service.operate('companies create', {
    ...{ name: 'Loja Azul Ltda', document: '11222333000181' },
  })
  const { id } = await service.operate('connections create', {
    ...{ company, environment: 'production', provider: 'efi' },
    settings: settingsFor(bank, { clientSecret, ...noticesOf(bank, 'CN=Other CA') }),
  })
  await service.operate('connections verify', { id })
  await service.operate('connections activate', { id })
  const comesTo = (notices: string) =>
    until(async () => (await service.operate('connections get', { id })).notices === notices)
  await comesTo('UNREGISTERED')
  t.match(await service.operate('connections get', { id }), { works: true, problem: /^pix: / })
  await service.operate('connections rotate', { id, settings: noticesOf(bank, 'CN=Efí CA') })
  await comesTo('REPORTED')
  t.match(await service.operate('connections get', { id }), { problem: null })
})
