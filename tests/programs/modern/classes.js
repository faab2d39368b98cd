/*---
{"value": {"total": "12.50", "count": 2, "cheapest": "pen", "kind": "Basket"}}
---*/
class Basket {
    #items = [];
    static currency = "EUR";

    add(name, cents) {
        this.#items.push({ name, cents });
        return this;
    }

    get count() {
        return this.#items.length;
    }

    total() {
        return (this.#items.reduce((sum, { cents }) => sum + cents, 0) / 100).toFixed(2);
    }

    *[Symbol.iterator]() {
        yield* this.#items;
    }
}

const basket = new Basket().add("book", 1100).add("pen", 150);
const [cheapest] = [...basket].sort((a, b) => a.cents - b.cents);
return { total: basket.total(), count: basket.count, cheapest: cheapest.name, kind: basket.constructor.name };
