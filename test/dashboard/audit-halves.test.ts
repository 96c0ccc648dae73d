import t from 'tap'
import { loseTransfer, openPayee } from '../e2e/lost-transfer.ts'
import { newOwner } from '../e2e/person.ts'
import { oneWorker, posted } from '../e2e/service.ts'
import { type DirectMember, secondFactor } from '../e2e/sign-in-directly.ts'
import { shareService } from '../e2e/stories.ts'
import { letIn, openPath, openTab, siteOf, startBrowser } from './browser.ts'

/** What takes two people is done by the second: the audit log says of the first what that one has done. */

const { story } = shareService(t, { env: oneWorker })
const anOwner = { roles: { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } } as const
const live = { 'Service-Environment': 'PRODUCTION' }

story(
  'the first of two people requests, and the second one does it',
  { people: [anOwner, anOwner, { roles: { SANDBOX: 'VIEWER', PRODUCTION: 'VIEWER' } }] },
  async (t, { service, company, members }) => {
    const [ana, bia, vera] = members as [DirectMember, DirectMember, DirectMember]
    const beneficiaryId = await openPayee(ana.call)
    const both = async (verb: string, path: string, body: object) => {
      for (const { call } of [ana, bia]) t.match(await call(verb, path, body, secondFactor), { status: 200 })
    }
    await both('PATCH', `/v1/beneficiaries/${beneficiaryId}`, { trusted: true })

    const unmatched = await posted(ana.call, '/v1/sandbox/pix/unmatched', { amount: 700 })
    await both('POST', `/v1/suspense/${unmatched.id}/write-off`, { reason: 'Saiu do banco' })

    const id = await loseTransfer(ana.call, beneficiaryId, 1000)
    const declared = { outcome: 'NOT_SENT', reason: 'Nada no extrato' }
    await both('POST', `/v1/transfers/${id}/declare`, declared)

    const {
      object: _,
      usage: __,
      pending: ___,
      ...limits
    } = (await ana.call('GET', '/v1/company/limits')).body
    const looser = { ...limits, pixDayAmount: String(Number(limits.pixDayAmount) + 1) }
    t.match(await ana.call('PUT', '/v1/company/limits', looser, secondFactor), { status: 200 })
    const [change] = (await bia.call('GET', '/v1/company/changes')).body.data
    await bia.call('POST', `/v1/company/changes/${change.id}/approve`, undefined, secondFactor)

    const { members: team } = (await ana.call('GET', '/v1/team', undefined, live)).body
    const { id: memberId } = team.find(({ personId }: any) => personId === vera.personId)
    const raised = await ana.call('PATCH', `/v1/team/${memberId}`, { roles: anOwner.roles })
    await bia.call('POST', `/v1/team/changes/${raised.body.pendingChange.id}/approve`, {}, secondFactor)

    const reader = await newOwner(service, company.id, 'leitora@example.com')
    const { page, context, troubles } = await openTab(t, await startBrowser(t), {
      viewport: { width: 1280, height: 900 },
    })
    const site = siteOf(service)
    await letIn(context, site, reader)
    const said = async (objectId: string, environment = 'sandbox'): Promise<readonly string[]> => {
      await openPath(page, `${site}/painel/${company.id}/${environment}/auditoria?objectId=${objectId}`)
      return (await page.locator('tbody .said').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
    }
    const expected = {
      [beneficiaryId]: [/alterou o favorecido/, /pediu para tornar confiável o favorecido/],
      [unmatched.id]: [/baixou dinheiro/, /propôs a baixa de dinheiro não identificado/],
      [id]: [/confirmou o resultado da transferência/, /declarou o resultado da transferência/],
      [change.id]: [/aprovou a alteração de limites/, /pediu a alteração dos limites/],
    }
    for (const [objectId, sentences] of Object.entries(expected))
      t.match((await said(objectId)).slice(0, 2), sentences)
    t.match(await said(memberId, 'producao'), [/aprovou o papel de/, /pediu outro papel para/])
    await reader.browser.call('PATCH', '/v1/me', { language: 'en' })
    t.match(await said(id), [/confirmed what became of the transfer/, /declared what became of the transfer/])
    t.strictSame(troubles, [])
  },
)
