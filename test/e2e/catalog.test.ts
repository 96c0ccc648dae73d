import t from 'tap'
import { problemsIn } from './kill-and-restart.ts'
import { caller, newMerchant, oneWorker, startService } from './service.ts'

const plan = { name: 'Pro', amount: 4900, interval: 'MONTH', methods: ['PIX'] }
const coupon = { code: 'SAVE', discountType: 'PERCENT', percentBps: 1000 }
const policy = { enabled: true, retryDays: [1, 3], finalAction: 'SUSPEND' }

t.test('plans, coupons and dunning policies', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call, key } = await newMerchant(service)
  const created = async (path: string, body: object): Promise<any> => (await call('POST', path, body)).body

  t.test('fields that are wrong are named, with what is wrong with them', async (t) => {
    const { id: planId } = await created('/v1/plans', plan)
    const days = await created('/v1/plans', { ...plan, interval: 'CUSTOM', intervalCount: 30 })
    const { id: couponId } = await created('/v1/coupons', { ...coupon, code: 'FIELDS' })
    const cases: [verb: string, path: string, body: object, ...errors: string[]][] = [
      ['POST', '/v1/plans', {}, 'amount REQUIRED', 'interval REQUIRED', 'methods REQUIRED', 'name REQUIRED'],
      ['POST', '/v1/plans', { ...plan, amount: 0 }, 'amount OUT_OF_RANGE'],
      ['POST', '/v1/plans', { ...plan, amount: '10.00' }, 'amount INVALID_FORMAT'],
      ['POST', '/v1/plans', { ...plan, interval: 'DAY' }, 'interval INVALID_VALUE'],
      ['POST', '/v1/plans', { ...plan, interval: 'CUSTOM' }, 'intervalCount REQUIRED'],
      ['POST', '/v1/plans', { ...plan, intervalCount: 0 }, 'intervalCount OUT_OF_RANGE'],
      ['POST', '/v1/plans', { ...plan, intervalCount: 1.5 }, 'intervalCount INVALID_TYPE'],
      ['POST', '/v1/plans', { ...plan, intervalCount: 37 }, 'intervalCount OUT_OF_RANGE'],
      ['POST', '/v1/plans', { ...plan, interval: 'YEAR', intervalCount: 4 }, 'intervalCount OUT_OF_RANGE'],
      [
        'POST',
        '/v1/plans',
        { ...plan, interval: 'CUSTOM', intervalCount: 731 },
        'intervalCount OUT_OF_RANGE',
      ],
      ['POST', '/v1/plans', { ...plan, methods: [] }, 'methods TOO_SHORT'],
      ['POST', '/v1/plans', { ...plan, methods: ['PIX', 'PIX'] }, 'methods DUPLICATE'],
      ['POST', '/v1/plans', { ...plan, methods: ['CRYPTO'] }, 'methods[0] INVALID_VALUE'],
      [
        'POST',
        '/v1/plans',
        { ...plan, trialDays: 731, maxCycles: 0 },
        'maxCycles OUT_OF_RANGE',
        'trialDays OUT_OF_RANGE',
      ],
      ['POST', '/v1/plans', { ...plan, setupFee: -1 }, 'setupFee INVALID_FORMAT'],
      ['POST', '/v1/plans', { ...plan, methods: ['BOLETO'], amount: 10_000_000_000 }, 'amount OUT_OF_RANGE'],
      ['PATCH', `/v1/plans/${planId}`, { name: 7, amount: true }, 'amount INVALID_TYPE', 'name INVALID_TYPE'],
      ['PATCH', `/v1/plans/${planId}`, { interval: 'CUSTOM' }, 'intervalCount REQUIRED'],
      ['PATCH', `/v1/plans/${days.id}`, { interval: 'MONTH' }, 'intervalCount REQUIRED'],
      ['PATCH', `/v1/plans/${planId}`, { active: 'no' }, 'active INVALID_TYPE'],
      ['POST', '/v1/coupons', {}, 'code REQUIRED', 'discountType REQUIRED'],
      ['POST', '/v1/coupons', { ...coupon, code: 'AB' }, 'code TOO_SHORT'],
      ['POST', '/v1/coupons', { ...coupon, code: 'a'.repeat(41) }, 'code TOO_LONG'],
      ['POST', '/v1/coupons', { ...coupon, code: 'ÇA VA' }, 'code INVALID_FORMAT'],
      ['POST', '/v1/coupons', { ...coupon, percentBps: 10_001 }, 'percentBps OUT_OF_RANGE'],
      ['POST', '/v1/coupons', { code: 'SAVE', discountType: 'PERCENT' }, 'percentBps REQUIRED'],
      ['POST', '/v1/coupons', { code: 'SAVE', discountType: 'FIXED' }, 'amountOff REQUIRED'],
      ['POST', '/v1/coupons', { ...coupon, amountOff: 1 }, 'amountOff MUTUALLY_EXCLUSIVE'],
      [
        'POST',
        '/v1/coupons',
        { ...coupon, discountType: 'FIXED' },
        'amountOff REQUIRED',
        'percentBps MUTUALLY_EXCLUSIVE',
      ],
      ['POST', '/v1/coupons', { ...coupon, duration: 'REPEATING' }, 'durationCycles REQUIRED'],
      [
        'POST',
        '/v1/coupons',
        { ...coupon, duration: 'FOREVER', durationCycles: 2 },
        'durationCycles MUTUALLY_EXCLUSIVE',
      ],
      ['POST', '/v1/coupons', { ...coupon, maxRedemptions: 0 }, 'maxRedemptions OUT_OF_RANGE'],
      ['POST', '/v1/coupons', { ...coupon, planIds: [] }, 'planIds TOO_SHORT'],
      ['POST', '/v1/coupons', { ...coupon, startsAt: 'soon' }, 'startsAt INVALID_FORMAT'],
      [
        'POST',
        '/v1/coupons',
        { ...coupon, startsAt: '2027-01-01T00:00:00Z', expiresAt: '2027-01-01T00:00:00Z' },
        'expiresAt OUT_OF_RANGE',
      ],
      ['PATCH', `/v1/coupons/${couponId}`, { discountType: 'FIXED' }, 'amountOff REQUIRED'],
      ['PUT', '/v1/dunning', {}, 'enabled REQUIRED', 'finalAction REQUIRED', 'retryDays REQUIRED'],
      [
        'PUT',
        '/v1/dunning',
        { ...policy, retryDays: [0, 61] },
        'retryDays[0] OUT_OF_RANGE',
        'retryDays[1] OUT_OF_RANGE',
      ],
      ['PUT', '/v1/dunning', { ...policy, retryDays: [1, 2, 3, 4, 5, 6, 7, 8] }, 'retryDays TOO_MANY'],
      [
        'PUT',
        '/v1/dunning',
        { ...policy, retryDays: [3, 1, 1] },
        'retryDays[1] INVALID_VALUE',
        'retryDays[2] DUPLICATE',
      ],
      ['PUT', '/v1/dunning', { ...policy, retryHour: 24 }, 'retryHour OUT_OF_RANGE'],
      ['PUT', '/v1/dunning', { ...policy, finalAction: 'FORGET' }, 'finalAction INVALID_VALUE'],
      ['GET', '/v1/coupons/validate', {}, 'query.code REQUIRED'],
      ['GET', '/v1/coupons/validate?code=a&amount=0', {}, 'query.amount OUT_OF_RANGE'],
      ['GET', '/v1/coupons?status=OLD', {}, 'query.status INVALID_VALUE'],
      ['GET', '/v1/plans?active=maybe', {}, 'query.active INVALID_VALUE'],
    ]
    for (const [verb, path, body, ...errors] of cases) {
      const answer = await call(verb, path, verb === 'GET' ? undefined : body)
      const named = (answer.body.errors ?? []).map(
        ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
      )
      t.strictSame(
        [answer.status, ...named.sort()],
        [400, ...errors],
        `${verb} ${path} ${JSON.stringify(body)}`,
      )
    }
  })

  t.test('null changes nothing where nothing can be cleared', async (t) => {
    const { id } = await created('/v1/plans', plan)
    const { status, body } = await call('PATCH', `/v1/plans/${id}`, { name: null, amount: null })
    t.match({ status, body }, { status: 200, body: { name: plan.name, amount: String(plan.amount) } })
  })

  t.test('refusals have the code and status that the contract says', async (t) => {
    const { id: planId } = await created('/v1/plans', plan)
    const first = await created('/v1/coupons', { ...coupon, code: 'First' })
    const other = await created('/v1/coupons', { ...coupon, code: 'other' })
    const nothing = 'pln_00000000000000000000000000'
    const cases: [string, string, object | undefined, number, string, object][] = [
      ['GET', `/v1/plans/${nothing}`, undefined, 404, 'NOT_FOUND', { resource: 'plan' }],
      ['PATCH', `/v1/plans/${nothing}`, {}, 404, 'NOT_FOUND', { resource: 'plan' }],
      ['DELETE', `/v1/plans/${first.id}`, undefined, 404, 'NOT_FOUND', { resource: 'plan' }],
      ['PATCH', `/v1/coupons/${planId}`, {}, 404, 'NOT_FOUND', { resource: 'coupon' }],
      ['DELETE', '/v1/coupons/x', undefined, 404, 'NOT_FOUND', { resource: 'coupon' }],
      ['DELETE', `/v1/dunning/plans/${planId}`, undefined, 404, 'NOT_FOUND', { resource: 'dunning_policy' }],
      ['POST', '/v1/coupons', { ...coupon, code: ' fIRST ' }, 409, 'DUPLICATE', { existingId: first.id }],
      ['PATCH', `/v1/coupons/${other.id}`, { code: 'FIRST' }, 409, 'DUPLICATE', { existingId: first.id }],
      [
        'POST',
        '/v1/plans',
        { ...plan, splitRuleId: 'spr_x' },
        422,
        'REFERENCE_NOT_FOUND',
        { field: 'splitRuleId' },
      ],
      [
        'POST',
        '/v1/coupons',
        { ...coupon, planIds: [planId, nothing] },
        422,
        'REFERENCE_NOT_FOUND',
        { field: 'planIds[1]' },
      ],
      ['PUT', '/v1/dunning', { ...policy, planId: nothing }, 422, 'REFERENCE_NOT_FOUND', { field: 'planId' }],
      ['GET', `/v1/coupons/${first.id}`, undefined, 405, 'METHOD_NOT_ALLOWED', {}],
    ]
    for (const [verb, path, body, status, code, extra] of cases) {
      const answer = await call(verb, path, body)
      t.match(answer, { status, body: { code, status, ...extra } }, `${verb} ${path}`)
    }
    const refused = await call('GET', `/v1/coupons/${first.id}`)
    t.equal(refused.headers.get('allow'), 'PATCH, DELETE')
  })

  t.test('a plan from its first day to its last', async (t) => {
    const answer = await call('POST', '/v1/plans', {
      ...plan,
      name: ' Gold ',
      maxCycles: 12,
      metadata: { b: 1, a: 2 },
    })
    t.equal(answer.status, 201)
    const { id } = answer.body
    t.equal(answer.headers.get('location'), `/v1/plans/${id}`)
    t.match(answer.body, { name: 'Gold', amount: '4900', intervalCount: 1, setupFee: '0', maxCycles: 12 })
    t.strictSame((await call('GET', `/v1/plans/${id}`)).body, answer.body)
    const changed = await call('PATCH', `/v1/plans/${id}`, { amount: '5900', maxCycles: null, nope: 1 })
    t.match(changed, { status: 200, body: { amount: '5900', maxCycles: null, metadata: { b: 1, a: 2 } } })
    t.equal(changed.headers.get('service-ignored-fields'), 'nope')
    t.strictSame(
      (await call('PATCH', `/v1/plans/${id}`)).body,
      changed.body,
      'nothing named, nothing changed',
    )
    const back = await call('PATCH', `/v1/plans/${id}`, changed.body)
    t.strictSame(back.body, changed.body, 'it can be sent back as it was read')
    const off = await call('PATCH', `/v1/plans/${id}`, { active: false })
    t.match((await call('GET', '/v1/plans?active=false')).body, {
      object: 'list',
      data: [off.body],
      pagination: { page: 1, pageSize: 1, total: 1, totalPages: 1, hasMore: false },
    })
    t.strictSame((await call('DELETE', `/v1/plans/${id}`)).body, {
      id,
      object: 'plan',
      deleted: true,
      active: false,
    })
    t.equal((await call('GET', `/v1/plans/${id}`)).status, 404)
    t.match((await call('GET', '/v1/plans?active=false')).body, {
      data: [],
      pagination: { pageSize: 0, total: 0, totalPages: 0, hasMore: false },
    })
  })

  t.test('lists that are all in one page can be paged through, too', async (t) => {
    const scopes = 'subscriptions.read,subscriptions.manage,marketplace.manage'
    const { call } = await newMerchant(service, { scopes })
    const items = [
      { recipientId: null, percentBps: 5000 },
      { recipientId: '', percentBps: 5000 },
    ]
    const seller = { name: 'S', document: '11222333000181', bankCode: '341', branch: '1', account: '2' }
    items[1]!.recipientId = (await call('POST', '/v1/split/recipients', seller)).body.id
    const lists = [
      ['/v1/plans', () => plan],
      ['/v1/coupons', (n: number) => ({ ...coupon, code: `PAGE-${n}` })],
      ['/v1/split/rules', () => ({ name: 'x', items })],
    ] as const
    for (const [path, body] of lists) {
      for (let n = 0; n < 3; n++) t.equal((await call('POST', path, body(n))).status, 201)
      const all = (await call('GET', path)).body
      t.match(all.pagination, { page: 1, pageSize: 3, total: 3, totalPages: 1, hasMore: false })
      const first = (await call('GET', `${path}?pageSize=2`)).body
      t.strictSame(first.data, all.data.slice(0, 2))
      t.match(first.pagination, { page: 1, pageSize: 2, total: 3, totalPages: 2, hasMore: true })
      await call('POST', path, body(3))
      const { asOf } = first.pagination
      const second = (await call('GET', `${path}?page=2&pageSize=2&asOf=${asOf}`)).body
      t.strictSame(second.data, all.data.slice(2), `${path}: what came since is hidden`)
      t.match((await call('GET', `${path}?page=1`)).body.pagination, { pageSize: 4, total: 4 })
      t.match((await call('GET', `${path}?asOf=${asOf}`)).body.pagination, { pageSize: 3, total: 3 })
      for (const wrong of ['page=0', 'pageSize=0', 'pageSize=201', 'asOf=x'])
        t.match(await call('GET', `${path}?${wrong}`), { status: 400, body: { code: 'VALIDATION_ERROR' } })
    }
  })

  t.test('a coupon from its first day to its last', async (t) => {
    const { id: planId } = await created('/v1/plans', plan)
    const answer = await call('POST', '/v1/coupons', {
      code: 'big-day',
      discountType: 'FIXED',
      amountOff: '5000',
      planIds: [planId],
      startsAt: '2020-01-01T00:00:00-03:00',
    })
    t.equal(answer.status, 201)
    const { id } = answer.body
    t.equal(answer.headers.get('location'), `/v1/coupons/${id}`)
    t.match(answer.body, {
      code: 'BIG-DAY',
      discountType: 'FIXED',
      amountOff: '5000',
      percentBps: null,
      duration: 'ONCE',
      startsAt: '2020-01-01T03:00:00.000Z',
      status: 'ACTIVE',
    })
    t.match((await call('GET', `/v1/coupons/validate?code=Big-Day&planId=${planId}`)).body, {
      valid: true,
      amount: '4900',
      discountAmount: '4900',
      finalAmount: '0',
    })
    const changes = { percentBps: 2500, durationCycles: 6, expiresAt: '2020-02-01T00:00:00Z', planIds: null }
    t.match((await call('PATCH', `/v1/coupons/${id}`, changes)).body, {
      discountType: 'PERCENT',
      percentBps: 2500,
      amountOff: null,
      duration: 'REPEATING',
      durationCycles: 6,
      planIds: null,
      status: 'EXPIRED',
    })
    const read = (await call('GET', '/v1/coupons?q=big-day')).body.data[0]
    const back = await call('PATCH', `/v1/coupons/${id}`, read)
    t.match(back, { status: 200, body: read }, 'it can be sent back as it was read')
    const late = await call('GET', '/v1/coupons/validate?code=BIG-DAY&amount=1000')
    t.match(late, { status: 200, body: { valid: false, reason: 'EXPIRED', finalAmount: '1000' } })
    t.match((await call('GET', '/v1/coupons?status=EXPIRED&q=big')).body.data, [{ id }])
    t.match((await call('DELETE', `/v1/coupons/${id}`)).body, { id, object: 'coupon', deleted: true })
    await created('/v1/coupons', { ...coupon, code: 'PASS' })
    const foreign = await call('GET', `/v1/coupons/validate?code=${encodeURIComponent('paß')}`)
    t.match(foreign.body, { reason: 'NOT_FOUND' }, 'ß is not SS')
    t.match(await call('GET', '/v1/coupons/validate?code=no%20such%20code'), {
      status: 200,
      body: { valid: false, reason: 'NOT_FOUND', coupon: null, amount: null, finalAmount: null },
    })
  })

  t.test('a policy of the company, and one of a plan', async (t) => {
    const { id: planId } = await created('/v1/plans', plan)
    const company = await call('PUT', '/v1/dunning', { ...policy, retryHour: 0, planId: null })
    t.match(company, { status: 200, body: { object: 'dunning_policy', scope: 'COMPANY', retryHour: 0 } })
    const own = await call('PUT', '/v1/dunning', { ...policy, enabled: false, retryDays: [], planId })
    t.match(own.body, { scope: 'PLAN', planId, enabled: false, retryDays: [], retryHour: 9 })
    t.strictSame((await call('GET', '/v1/dunning')).body, {
      object: 'dunning',
      default: company.body,
      plans: [own.body],
    })
    const removed = await call('DELETE', `/v1/dunning/plans/${planId}`)
    t.strictSame(removed.body, { planId, object: 'dunning_policy', deleted: true })
    t.match((await call('GET', '/v1/dunning')).body, { plans: [] })
  })

  t.test('who may read may not manage, and the product has to be active', async (t) => {
    const reader = await newMerchant(service, { scopes: 'subscriptions.read' })
    t.equal((await reader.call('GET', '/v1/plans')).status, 200)
    for (const [verb, path] of [
      ['POST', '/v1/plans'],
      ['PATCH', '/v1/plans/x'],
      ['DELETE', '/v1/coupons/x'],
      ['PUT', '/v1/dunning'],
    ] as const)
      t.match(await reader.call(verb, path), {
        status: 403,
        body: { code: 'NO_PERMISSION', requiredScope: 'subscriptions.manage' },
      })
    const other = await newMerchant(service, { products: 'PIX' })
    for (const path of ['/v1/plans', '/v1/coupons/validate?code=x', '/v1/dunning'])
      t.match(await other.call('GET', path), {
        status: 403,
        body: { code: 'PRODUCT_NOT_ACTIVE', product: 'RECURRING' },
      })
  })

  t.test('all of it is there after a crash', async (t) => {
    const { dataDir } = service
    const before = await Promise.all(
      ['/v1/plans', '/v1/coupons', '/v1/dunning'].map((path) => call('GET', path)),
    )
    await service.kill('SIGKILL')
    const again = await startService(t, { env: oneWorker, dataDir })
    const callAgain = caller(again.origin, key.secret)
    const found = await Promise.all(
      ['/v1/plans', '/v1/coupons', '/v1/dunning'].map((path) => callAgain('GET', path)),
    )
    t.strictSame(
      found.map(({ body }) => body.data ?? body),
      before.map(({ body }) => body.data ?? body),
    )
    t.ok(before[0]!.body.data.length > 0)
    await again.kill('SIGTERM')
    t.strictSame(await problemsIn(dataDir), [], 'the data directory is sound')
  })
})
