import type { Browser, Page } from 'playwright-core'
import { payByCard, typeCard } from '../checkout/payer.ts'
import { openTab } from '../dashboard/browser.ts'
import { everyScope } from '../e2e/examples/play.ts'
import { newOwner } from '../e2e/person.ts'
import { caller, posted, type Scope, type Service } from '../e2e/service.ts'

const texts = {
  pt: {
    course: 'Curso de barista',
    gift: 'Apoie o Café Aurora',
    beans: 'Café em grãos 1 kg',
    thanks: 'Seu café sai para entrega amanhã.',
    plan: 'Clube do Café',
    other: 'Clube do Café, 2 kg',
  },
  en: {
    course: 'Barista course',
    gift: 'Support Café Aurora',
    beans: 'Coffee beans, 1 kg',
    thanks: 'Your coffee leaves tomorrow.',
    plan: 'Coffee club',
    other: 'Coffee club, 2 kg',
  },
} as const

/** Brings a page to a state. */
type Enter = (page: Page) => Promise<unknown>

/** A shop with a logo and a colour, and the ways to each state of the pages where its payers pay. */
export const openCheckoutStates = async (t: Scope, service: Service, browser: Browser) => {
  const company = await service.operate('companies create', {
    name: 'Café Aurora Ltda',
    document: '11222333000181',
  })
  const owner = await newOwner(service, company.id, 'ana@cafeaurora.com.br')
  const { page } = await openTab(t, browser, { viewport: { width: 128, height: 128 } })
  await page.setContent(logo)
  const image = (await page.screenshot()).toString('base64')
  await owner.browser.at(company.id).call('PUT', '/v1/company/logo', { image })
  const { secret } = await service.operate('keys create', {
    company: company.id,
    environment: 'sandbox',
    scopes: everyScope,
  })
  const call = caller(service.origin, secret)

  /** The states in a language: what leads to each. */
  return async (language: keyof typeof texts): Promise<Readonly<Record<string, Enter>>> => {
    const { course, gift, beans, thanks, plan, other } = texts[language]
    await service.operate('companies checkout', {
      id: company.id,
      displayName: 'Café Aurora',
      accent: '#8a3b12',
      supportEmail: 'oi@cafeaurora.com.br',
      supportPhone: '+5511987654321',
      thankYouText: thanks,
    })
    const locale = language === 'pt' ? 'pt-BR' : 'en'
    const session = (body: object = {}) =>
      posted(call, '/v1/checkout-sessions', { amount: 24_900, description: course, locale, ...body })
    const press = async (page: Page, seen: string): Promise<void> => {
      await page.locator('button.primary').press('Enter')
      await page.locator(seen).first().waitFor()
    }
    const taken = async (page: Page, method: string, seen: string): Promise<{ id: string; url: string }> => {
      const made = await session({ methods: [method], successUrl: 'http://localhost:9000/' })
      await page.goto(made.url)
      await press(page, seen)
      return made
    }
    const planOf = (name: string, amount: number) =>
      posted(call, '/v1/plans', { name, amount, interval: 'MONTH', methods: ['PIX', 'CREDIT_CARD'] })
    return {
      choose: async (page) =>
        page.goto(
          (
            await session({
              amount: undefined,
              items: [
                { name: course, quantity: 1, unitAmount: 19_900 },
                { name: beans, quantity: 1, unitAmount: 5000 },
              ],
              description: undefined,
              allowCoupons: true,
            })
          ).url,
        ),
      card: async (page) => {
        const made = await session({
          methods: ['CREDIT_CARD', 'PIX'],
          installments: { max: 12, interestFreeUpTo: 3, monthlyRateBps: 199 },
        })
        await page.goto(made.url)
        await typeCard(page.frameLocator('#card-frame'), '4000000000000010')
        await page.locator('#installments').selectOption('6')
      },
      pix: (page) => taken(page, 'PIX', '.qr'),
      boleto: async (page) => {
        const made = await session({
          methods: ['BOLETO'],
          customer: { name: 'Beatriz Almeida', document: '52998224725' },
        })
        await page.goto(made.url)
        await press(page, '.barcode')
      },
      stablecoin: (page) => taken(page, 'CRYPTO', '.qr'),
      paid: async (page) => {
        const { id, url } = await taken(page, 'PIX', '.qr')
        const { transactionIds } = (await call('GET', `/v1/checkout-sessions/${id}`)).body
        await posted(call, `/v1/sandbox/pix/charges/${transactionIds[0]}/pay`, {})
        await page.goto(url)
        await page.locator('.tick').waitFor()
      },
      declined: async (page) => {
        await page.goto((await session({ methods: ['PIX', 'CREDIT_CARD'] })).url)
        await payByCard(page, '4000000000000028')
        await page.locator('.notice').waitFor()
      },
      expired: async (page) => {
        const { id, url } = await session({ cancelUrl: 'http://localhost:9000/' })
        await posted(call, `/v1/checkout-sessions/${id}/expire`, {})
        await page.goto(url)
      },
      subscription: async (page) => {
        const { id: planId } = await planOf(plan, 6990)
        const sold = { mode: 'SUBSCRIPTION', planId, trialDays: 7, locale }
        await page.goto((await posted(call, '/v1/checkout-sessions', sold)).url)
        await page.locator('#card-frame').waitFor()
      },
      portal: async (page) => {
        const [sold, dearer] = [await planOf(plan, 6990), await planOf(other, 12_990)]
        const portal = { cancel: true, changePlan: [sold.id, dearer.id] }
        await owner.browser.at(company.id).call('PATCH', '/v1/company/checkout', { portal })
        const customer = await posted(call, '/v1/customers', { name: 'Beatriz Almeida' })
        const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242' }
        const subscriber = { planId: sold.id, customerId: customer.id, method: 'CREDIT_CARD', card }
        await posted(call, '/v1/subscriptions', subscriber)
        const returnUrl = 'http://localhost:9000/'
        const { url } = await posted(call, '/v1/portal-sessions', { customerId: customer.id, returnUrl })
        await page.goto(`${url}?lang=${locale}`)
      },
      'portal-mail': async (page) => {
        await page.goto(`${(await call('GET', '/v1/portal')).body.url}?lang=${locale}`)
        await page.locator('#email').fill('beatriz@example.com')
      },
      link: async (page) => {
        const offer = {
          name: gift,
          amountMode: 'OPEN',
          minAmount: 1000,
          suggestedAmounts: [2000, 5000, 10_000],
          locale,
        }
        await page.goto((await posted(call, '/v1/payment-links', offer)).url)
      },
    }
  }
}

const logo = `<style>body{margin:0;background:#8a3b12}</style><svg width="128" height="128" viewBox="0 0 32 32" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"><path d="M7 13h14v6a5 5 0 0 1-5 5h-4a5 5 0 0 1-5-5zM21 14h2a3 3 0 0 1 0 6h-2M11 6v3M16 5v4"/></svg>`
