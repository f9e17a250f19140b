// E-voting in a browser or in Node.js: encrypts votes, each with a proof that it is 0 or 1. node examples/ballot.mjs
//
// The arithmetic is that of ElectionGuard 2.1 (exponential ElGamal and disjunctive Chaum–Pedersen proofs); the challenge hashes
// less than ElectionGuard's. The package computes powers with secret exponents. BigInt computes sums and products modulo q, which
// has 256 bits; their time may depend on the operands.
import { load } from "../src/index.js";
import { g, p, q } from "./electionguard.mjs";

const BITS = { exponentBits: 256 };
const modulo = (x) => ((x % q) + q) % q;

function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(40));
  return modulo(BigInt("0x" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")));
}

async function challenge(...numbers) {
  const text = new TextEncoder().encode(numbers.map((number) => number.toString(16)).join(","));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return modulo(BigInt("0x" + Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")));
}

// The data that all voters share: g, the election's key K, and tables for both.
export class Election {
  constructor(moduli, key) {
    this.moduli = moduli;
    this.key = key;
    this.g = new moduli.FixedBase(g, p, BITS);
    this.k = new moduli.FixedBase(key, p, BITS);
  }

  // Returns (g^ξ, K^(v + ξ)), and a challenge and a response for each possible vote.
  async encrypt(vote) {
    const nonce = random();
    const [alpha, beta] = [this.g.pow(nonce), this.k.pow(modulo(nonce + vote))];
    // The proof for the other vote is simulated: its challenge is chosen before its commitments.
    const [u, madeUp] = [[random(), random()], random()];
    const commitments = [];
    for (const w of [0n, 1n]) {
      // For w = vote, the last term is 0.
      commitments.push(this.g.pow(u[w]), this.k.pow(modulo(u[w] + (vote - w) * madeUp)));
    }
    const own = modulo((await challenge(this.key, alpha, beta, ...commitments)) - madeUp);
    // It is secret which of the two challenges is simulated. So both are computed, without a branch on the vote.
    const challenges = [modulo(own + vote * (madeUp - own)), modulo(madeUp + vote * (own - madeUp))];
    const proof = challenges.map((c, w) => ({ challenge: c, response: modulo(u[w] - c * nonce) }));
    return { alpha, beta, proof };
  }

  // Checks a ballot from what is published, so anyone can call it.
  async verify({ alpha, beta, proof }) {
    const { moduli } = this;
    const isMember = (x) => x > 0n && x < p && moduli.powmod(x, q, p, { vartime: true }) === 1n;
    if (![alpha, beta].every(isMember)) return false;
    const commitments = [];
    for (const [w, { challenge, response }] of proof.entries()) {
      const shifted = modulo(response - BigInt(w) * challenge);
      commitments.push((this.g.pow(response, { vartime: true }) * moduli.powmod(alpha, challenge, p, { vartime: true })) % p);
      commitments.push((this.k.pow(shifted, { vartime: true }) * moduli.powmod(beta, challenge, p, { vartime: true })) % p);
    }
    return modulo(proof[0].challenge + proof[1].challenge) === (await challenge(this.key, alpha, beta, ...commitments));
  }

  // Returns the sum of the votes. Needs the secret key s. The product of all ballots encrypts the sum, and K^sum = Πβ / (Πα)^s.
  tally(ballots, secret) {
    const [alpha, beta] = ["alpha", "beta"].map((part) => ballots.reduce((product, ballot) => (product * ballot[part]) % p, 1n));
    const ofSum = (beta * this.moduli.invert(this.moduli.powmod(alpha, secret, p, BITS), p)) % p;
    for (let sum = 0; sum <= ballots.length; sum++) if (this.k.pow(BigInt(sum), { vartime: true }) === ofSum) return sum;
    throw new Error("no such sum");
  }
}

export async function hold(votes) {
  const moduli = await load();
  const secret = random();
  const election = new Election(moduli, moduli.powmod(g, secret, p, BITS));
  const ballots = [];
  for (const vote of votes) {
    const ballot = await election.encrypt(vote);
    if (!(await election.verify(ballot))) throw new Error("a ballot does not verify");
    ballots.push(ballot);
  }
  // A vote of 2 must be rejected.
  if (await election.verify(await election.encrypt(2n))) throw new Error("a false ballot verifies");
  return `${ballots.length} ballots by ${moduli.engine.fixedBase}, all proofs verified, ${election.tally(ballots, secret)} votes for`;
}

if (globalThis.process?.argv?.[1]?.endsWith("ballot.mjs")) console.log(await hold([1n, 0n, 1n, 1n]));
