import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { everyScope } from '../e2e/examples/play.ts'
import { type Enrolled, enrol } from '../e2e/person.ts'
import { newMerchant, oneWorker, posted, type Scope, startReceiver, startService } from '../e2e/service.ts'
import { hasRead, isWholeWalk, letIn, openPath, openTab, siteOf, startBrowser, type Tab } from './browser.ts'

type Language = 'pt' | 'en'
type Way = 'mouse' | 'keyboard'

/** What people come for, by their roles: what it leads to, and how many clicks and keys it may take at most; typing is not counted. */
const tasks: readonly Task[] = [
  {
    title: 'a shop’s owner charges by PIX, and has its QR code',
    who: 'owner',
    most: { mouse: 3, keyboard: 4 },
    isByKeysAlways: true,
    walk: async (hand) => {
      await hand.go('pix', 'p')
      await hand.create()
      await hand.type(hand.field('amount'), hand.say('49,90', '49.90'))
      await hand.submit()
      await hand.page.getByRole('img', { name: /QR/ }).waitFor()
    },
  },
  {
    title: 'the owner sees which payments came in today',
    who: 'owner',
    most: { mouse: 1, keyboard: 31 },
    walk: async (hand) => {
      await hand.press(hand.page.locator('.today .today-amount a'))
      await hand.page.locator('main table a[data-row]').first().waitFor()
    },
  },
  {
    title: 'the owner invites somebody',
    who: 'owner',
    most: { mouse: 4, keyboard: 7 },
    walk: async (hand) => {
      await hand.go('empresa', 'e')
      await hand.tab('equipe')
      await hand.create()
      await hand.type(hand.field('email'), `${hand.unique}@example.com`)
      await hand.submit()
      await hand.page.locator('main').getByText(`${hand.unique}@example.com`).waitFor()
    },
  },
  {
    title: 'the owner makes a limit stricter, and signs',
    who: 'owner',
    most: { mouse: 5, keyboard: 9 },
    walk: async (hand) => {
      await hand.go('transferencias', 'f')
      await hand.tab('limites')
      await hand.press(hand.page.getByRole('button', { name: hand.say('Editar: Limites', 'Edit: Limits') }))
      await hand.type(hand.field('pixDayAmount'), hand.say('50.000,00', '50,000.00'))
      await hand.submit()
      await hand.sign()
      await hand.page.locator('dialog[open]').waitFor({ state: 'detached' })
    },
  },
  {
    title: 'the owner sees what comes when',
    who: 'owner',
    most: { mouse: 2, keyboard: 4 },
    walk: async (hand) => {
      await hand.go('saldo', 'm')
      await hand.tab('recebiveis')
      await hand.page.locator('main .chart, main .plot').first().waitFor()
    },
  },
  {
    title: 'the owner takes a subscriber on',
    who: 'owner',
    most: { mouse: 5, keyboard: 17 },
    isByKeysAlways: true,
    walk: async (hand) => {
      await hand.go('assinaturas', 's')
      await hand.create()
      await hand.type(hand.page.getByRole('combobox', { name: hand.say('Cliente', 'Customer') }), 'marta')
      await hand.choose(hand.page.getByRole('option', { name: /Marta Reis/ }))
      await hand.submit('Tab')
      await hand.page.waitForURL(/assinaturas\/sub_/)
    },
  },
  {
    title: 'support finds a payment by its payer',
    who: 'support',
    most: { mouse: 3, keyboard: 6 },
    walk: async (hand) => {
      await hand.find('Joana')
    },
  },
  {
    title: 'finance refunds a part of it',
    who: 'finance',
    most: { mouse: 5, keyboard: 10 },
    isByKeysAlways: true,
    walk: async (hand) => {
      await hand.find('Joana')
      await hand.openPaid()
      await hand.press(hand.page.getByRole('button', { name: hand.say('Estornar', 'Refund'), exact: true }))
      await hand.type(hand.field('amount'), hand.say('1,00', '1.00'))
      await hand.submit()
      await hand.page.locator('dialog[open]').waitFor({ state: 'detached' })
    },
  },
  {
    title: 'support leaves a note at a payment',
    who: 'support',
    most: { mouse: 5, keyboard: 25 },
    walk: async (hand) => {
      await hand.find('Joana')
      await hand.type(hand.page.locator('main form textarea'), `Ligou ${hand.unique}`)
      await hand.press(
        hand.page.locator('main form').getByRole('button', { name: hand.say('Adicionar', 'Add') }),
      )
      await hand.page.getByText(`Ligou ${hand.unique}`).waitFor()
    },
  },
  {
    title: 'support mails a charge to its payer',
    who: 'support',
    most: { mouse: 4, keyboard: 13 },
    walk: async (hand) => {
      await hand.go('pix', 'p')
      await hand.row()
      await hand.press(
        hand.page.getByRole('button', { name: hand.say('Enviar por e-mail', 'Send by e-mail') }),
      )
      await hand.submit()
      await hand.page
        .getByText(/a\*\*\*@example\.com/)
        .first()
        .waitFor()
    },
  },
  {
    title: 'support registers a customer',
    who: 'support',
    most: { mouse: 3, keyboard: 4 },
    walk: async (hand) => {
      await hand.go('clientes', 'c')
      await hand.create()
      await hand.type(hand.field('name'), `Rita ${hand.unique}`)
      await hand.submit()
      await hand.page.waitForURL(/clientes\/cus_/)
    },
  },
  {
    title: 'support asks the service for help',
    who: 'support',
    most: { mouse: 4, keyboard: 10 },
    walk: async (hand) => {
      await hand.go('suporte', 'u')
      await hand.create()
      await hand.type(hand.field('subject'), 'Onde está o PIX?')
      await hand.type(hand.field('text'), 'O cliente pagou ontem.')
      await hand.submit('Tab')
      await hand.page.waitForURL(/suporte\/tkt_/)
    },
  },
  {
    title: 'finance sees which chargebacks wait for a defence',
    who: 'finance',
    most: { mouse: 1, keyboard: 37 },
    walk: async (hand) => {
      await hand.press(hand.page.locator('.to-do a[href*="chargebacks"]'))
      await hand.page.locator('main table a[data-row]').first().waitFor()
    },
  },
  {
    title: 'an accountant downloads the statement for the accounting software',
    who: 'finance',
    most: { mouse: 4, keyboard: 10 },
    walk: async (hand) => {
      await hand.go('saldo', 'm')
      await hand.tab('extrato')
      await hand.press(hand.page.locator('button[popovertarget=downloads]'))
      const saved = hand.page.waitForEvent('download')
      await hand.press(hand.page.locator('#downloads a[href*="ofx"]'))
      await saved
    },
  },
  {
    title: 'an accountant downloads the paid transactions',
    who: 'finance',
    most: { mouse: 5, keyboard: 54 },
    walk: async (hand) => {
      await hand.go('transacoes', 't')
      await hand.press(
        hand.page.getByRole('button', { name: hand.say('Situação', 'Status'), exact: true }).first(),
      )
      await hand.press(hand.page.getByRole('checkbox', { name: hand.say(/^Aprovada/, /^Approved/) }), 'Space')
      await hand.page.waitForURL(/status=APPROVED/)
      await hand.key('Escape')
      const saved = hand.page.waitForEvent('download')
      await hand.press(hand.page.locator('main a[download]').first())
      await saved
    },
  },
  {
    title: 'finance sends money to a payee, and signs',
    who: 'finance',
    most: { mouse: 6, keyboard: 11 },
    isByKeysAlways: true,
    walk: async (hand) => {
      await hand.go('transferencias', 'f')
      await hand.create()
      await hand.press(hand.page.locator('main').getByRole('button', { name: /Fornecedor/ }))
      await hand.type(hand.field('amount', 'main'), hand.say(`1,0${hand.turn}`, `1.0${hand.turn}`))
      await hand.submit()
      await hand.press(hand.page.getByRole('button', { name: hand.say(/^Assinar e/, /^Sign and/) }))
      await hand.sign()
      await hand.page.waitForURL(/transferencias\/trf_/)
    },
  },
  {
    title: 'finance makes a boleto',
    who: 'finance',
    most: { mouse: 5, keyboard: 10 },
    walk: async (hand) => {
      await hand.go('boletos', 'b')
      await hand.create()
      await hand.type(hand.field('amount'), hand.say('120,00', '120.00'))
      await hand.type(hand.field('customer.name'), 'Marta Reis')
      await hand.type(hand.field('customer.document'), '52998224725')
      await hand.submit()
      await hand.page.waitForURL(/(boletos|transacoes)\/txn_/)
    },
  },
  {
    title: 'a developer makes an API key',
    who: 'developer',
    most: { mouse: 7, keyboard: 9 },
    isByKeysAlways: true,
    walk: async (hand) => {
      await hand.go('chaves', 'k')
      await hand.create()
      await hand.type(hand.field('name'), 'Loja')
      await hand.submit()
      await hand.sign()
      await hand.saved()
    },
  },
  {
    title: 'a developer adds an endpoint',
    who: 'developer',
    most: { mouse: 6, keyboard: 8 },
    walk: async (hand) => {
      await hand.go('webhooks', 'w')
      await hand.create()
      await hand.type(hand.field('url'), `${hand.receiver}/${hand.unique}`)
      await hand.submit()
      await hand.saved()
    },
  },
]

type Task = {
  readonly title: string
  readonly who: 'owner' | 'finance' | 'support' | 'developer'
  readonly most: Readonly<Record<Way, number>>
  /** Whether it is done by keys, too, where the walk is not whole: those that differ most in what they press. */
  readonly isByKeysAlways?: boolean
  readonly walk: (hand: Hand) => Promise<unknown>
}

type Hand = ReturnType<typeof handOf>

/** What a person does with a mouse or with keys alone, and counts meanwhile: every click, and every key that types nothing. */
const handOf = (
  page: Page,
  way: Way,
  {
    language,
    person,
    receiver,
    turn,
  }: { language: Language; person: Enrolled; receiver: string; turn: number },
) => {
  let presses = 0
  const isMouse = way === 'mouse'
  const hasFocus = (target: Locator): Promise<boolean> =>
    target.evaluate((element) => element.matches(':focus'))
  const key = async (name: string): Promise<void> => {
    presses += 1
    await page.keyboard.press(name)
  }
  const click = async (target: Locator): Promise<void> => {
    presses += 1
    const amount = target.locator('.amount [aria-hidden]')
    if ((await amount.count()) === 0) return target.click()
    // Its text for readers of screens is out of place, where nobody clicks.
    const { x, y, width, height } = (await amount.boundingBox())!
    await page.mouse.click(x + width / 2, y + height / 2)
  }
  const reach = async (target: Locator, step = 'Tab'): Promise<void> => {
    await target.waitFor()
    for (let tabs = 0; !(await hasFocus(target)); tabs++) {
      if (tabs > 100) throw new Error(`no Tab leads to ${target}`)
      await key(step)
    }
  }
  const press = async (target: Locator, by = 'Enter'): Promise<void> => {
    if (isMouse) return click(target)
    await reach(target)
    await key(by)
  }
  const type = async (target: Locator, text: string): Promise<void> => {
    await target.waitFor()
    if (!(await hasFocus(target))) await (isMouse ? click(target) : reach(target))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  }
  const dialog = page.locator('dialog[open]')
  /** Until the page has what it reads, and the focus. */
  const isThere = async (): Promise<void> => {
    await page.locator('h1:focus').waitFor()
    await hasRead(page)
  }
  const say = <Text>(pt: Text, en: Text): Text => (language === 'pt' ? pt : en)
  return {
    page,
    say,
    key: async (name: string): Promise<void> => {
      if (isMouse && name === 'Escape') return click(page.locator('h1'))
      await key(name)
    },
    press,
    type,
    unique: `${way}${language}`,
    turn,
    receiver,
    presses: (): number => presses,
    /** Goes to a page of the menu, of which some have a key. */
    go: async (name: string, letter?: string): Promise<void> => {
      const link = page.locator(`#menu a[href$="/${name}"]`)
      if (!isMouse && letter !== undefined) {
        await key('g')
        await key(letter)
      } else {
        // Its group may be folded.
        if (!(await link.isVisible()))
          await press(
            page.locator('.nav-group', { has: page.locator(`#menu-${groupOf[name]}`) }).locator('> button'),
          )
        await press(link)
      }
      await page.waitForURL(new RegExp(`/${name}$`))
      await isThere()
    },
    /** Goes to another page of the same entry: its tabs stand before the heading, which has the focus. */
    tab: async (name: string): Promise<void> => {
      const link = page.locator(`main .family a[href$="/${name}"]`)
      if (isMouse) await click(link)
      else {
        await reach(link, 'Shift+Tab')
        await key('Enter')
      }
      await page.waitForURL(new RegExp(`/${name}$`))
      await isThere()
    },
    /** Chooses an option of what was typed, which comes with the answer. */
    choose: async (option: Locator): Promise<void> => {
      await option.waitFor()
      await dialog.locator('[role=listbox][aria-busy=false]:visible').waitFor()
      if (isMouse) return click(option)
      await key('ArrowDown')
      await key('Enter')
    },
    create: async (): Promise<void> => {
      const button = page.locator('main [data-key="n"]').first()
      await button.waitFor()
      if (isMouse) await click(button)
      else await key('n')
    },
    row: async (): Promise<void> => {
      const row = page.locator('main table a[data-row]').first()
      await row.waitFor()
      if (isMouse) await click(row)
      else for (const one of ['j', 'Enter']) await key(one)
      await page.waitForURL(/transacoes\/txn_|pix\/txn_/)
      await isThere()
    },
    field: (name: string, room = 'dialog[open]'): Locator => page.locator(`${room} [name="${name}"]`),
    /** Sends a form: by Enter in its field, or by its button where Enter starts a new line. */
    submit: async (by: 'Enter' | 'Tab' = 'Enter'): Promise<void> => {
      const room = (await dialog.count()) > 0 ? dialog.last() : page.locator('main')
      const button = room.locator('form [type=submit]').last()
      if (isMouse) return click(button)
      const isTyped = await page.evaluate('document.activeElement.matches("input, button[type=submit]")')
      if (by === 'Enter' && isTyped) await key('Enter')
      else await press(button)
    },
    /** Finds a transaction of somebody by the search of the list. */
    find: async (name: string): Promise<void> => {
      if (isMouse) await click(page.locator('#menu a[href$="/transacoes"]'))
      else for (const letter of ['g', 't']) await key(letter)
      const search = page.locator('main [data-search]')
      await search.waitFor()
      if (!isMouse) await key('/')
      await type(search, name)
      await page.waitForURL(/q=/)
      await page.locator('main table[aria-busy=false] a[data-row]').first().waitFor()
      if (isMouse) await click(page.locator('main table a[data-row]').first())
      else for (const one of ['Escape', 'j', 'Enter']) await key(one)
      await page.waitForURL(/transacoes\/txn_/)
      await isThere()
    },
    openPaid: async (): Promise<void> => {
      const menu = page.getByRole('button', { name: say('Pagamento', 'Payment'), exact: true })
      if ((await menu.count()) > 0) await press(menu)
    },
    sign: async (): Promise<void> => {
      const code = page.locator('dialog[open] [name=code]')
      await code.waitFor()
      await type(code, person.code())
      if (isMouse) await click(dialog.last().locator('[type=submit]'))
      else await key('Enter')
    },
    /** Says that a secret, which is shown once, is saved. */
    saved: async (): Promise<void> => {
      await page.locator('dialog[open] .copy-box').waitFor()
      await press(dialog.getByRole('checkbox'), 'Space')
      await press(dialog.getByRole('button', { name: say('Fechar', 'Close') }))
      await dialog.waitFor({ state: 'detached' })
    },
  }
}

/** Pages whose entries of the menu are in a group. */
const groupOf: Readonly<Record<string, string>> = {
  chaves: 'developers',
  webhooks: 'developers',
  empresa: 'account',
  suporte: 'account',
}

t.test('tasks', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { company, call } = await newMerchant(service, { scopes: everyScope })
  const site = siteOf(service)
  const browser = await startBrowser(t)
  const receiver = await startReceiver(t)
  await posted(call, '/v1/customers', {
    name: 'Marta Reis',
    email: 'a@example.com',
    document: '52998224725',
  })
  await posted(call, '/v1/plans', { name: 'Clube', amount: 4990, interval: 'MONTH', methods: ['PIX'] })
  const card = await posted(call, '/v1/card-payments', {
    amount: 9900,
    card: { token: 'tok_ok', brand: 'VISA', last4: '4242', holderName: 'Rui Melo' },
  })
  await posted(call, `/v1/sandbox/card-payments/${card.id}/chargeback`, {})
  await posted(call, '/v1/card-payments', {
    amount: 30_000,
    installments: 3,
    card: { token: 'tok_ok', brand: 'VISA', last4: '4242', holderName: 'Rui Melo' },
  })
  const joined = async (role: Task['who'], n: string): Promise<Enrolled> => {
    const email = `${role}${n}@example.com`
    const { link } = await service.operate('people invite', { company: company.id, email, role })
    return enrol(service, link, email, 'Ana Lima')
  }
  const maker = await joined('owner', 'maker')
  await posted(
    (verb, path, body) =>
      maker.browser
        .at(company.id)
        .call(verb, path, body, { 'Service-Second-Factor': `totp ${maker.code()}` }),
    '/v1/beneficiaries',
    {
      name: 'Fornecedor de Embalagens Ltda',
      document: '11222333000181',
      bankCode: '341',
      branch: '1234',
      account: '123456-7',
      accountType: 'CHECKING',
    },
  )
  const all = [
    ['pt', 'mouse'],
    ['en', 'keyboard'],
    ['pt', 'keyboard'],
    ['en', 'mouse'],
  ] as const
  for (const [turn, [language, way]] of all.slice(0, isWholeWalk ? 4 : 2).entries())
    t.test(`by ${way}, in ${language}`, async (t) => {
      // A payment without the refunds and notes of the turns before, and no endpoint that hears of it: both are further stops for Tab.
      const people = maker.browser.at(company.id).call
      for (const { id } of (await people('GET', '/v1/webhooks/endpoints')).body.data)
        await people('DELETE', `/v1/webhooks/endpoints/${id}`)
      const paid = await posted(call, '/v1/pix/charges', {
        amount: 50_000,
        customer: { name: 'Joana Prado' },
      })
      await posted(call, `/v1/sandbox/pix/charges/${paid.id}/pay`, {})
      const walked = isWholeWalk || turn === 0 ? tasks : tasks.filter(({ isByKeysAlways }) => isByKeysAlways)
      const signedIn = new Map<Task['who'], { person: Enrolled; tab: Tab }>()
      for (const who of new Set(walked.map(({ who }) => who))) {
        const person = await joined(who, `${turn}`)
        await person.browser.call('PATCH', '/v1/me', { language })
        const tab = await openPage(t, language)
        await letIn(tab.context, site, person)
        // Each task begins as if it were the first: groups of the menu are folded.
        await tab.page.addInitScript('localStorage.clear()')
        signedIn.set(who, { person, tab })
      }
      for (const { title, who, most, walk } of walked) {
        // What a mail or a note is about comes first in every list.
        await posted(call, '/v1/pix/charges', {
          amount: 700,
          customer: { name: 'Rui', email: 'a@example.com' },
        })
        const {
          person,
          tab: { page, troubles },
        } = signedIn.get(who)!
        await openPath(page, `${site}/painel/${company.id}/sandbox/inicio`)
        const hand = handOf(page, way, { language, person, receiver: receiver.url, turn })
        await walk(hand)
        t.ok(hand.presses() <= most[way], `${title}: ${hand.presses()} of ${most[way]}`)
        t.strictSame(troubles, [], `${title}: no report of the policy, and no error`)
      }
    })

  const openPage = (t: Scope, language: Language) =>
    openTab(t, browser, {
      locale: language === 'pt' ? 'pt-BR' : 'en-US',
      viewport: { width: 1280, height: 900 },
      acceptDownloads: true,
    })
})
