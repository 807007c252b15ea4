import { fakeHttp } from './fakes/http.ts'

/** A REST-hook client as an automation tool is one: an address on this machine that takes whatever comes. */
export async function webhookReceiver() {
  let status = 200
  const { url, requests, stop } = await fakeHttp({ 'POST /:place': () => ({ status }) })
  return {
    url: `${url}/catch?token=canary-of-the-address`,
    deliveries: requests,
    answer: (now: number) => void (status = now),
    stop,
  }
}
