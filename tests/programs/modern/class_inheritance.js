/*---
{"value": ["Dog Rex: woof", true, "Animal ?: ..."]}
---*/
class Animal {
    constructor(name = "?") {
        this.name = name;
    }
    sound() {
        return "...";
    }
    toString() {
        return `${this.constructor.name} ${this.name}: ${this.sound()}`;
    }
}
class Dog extends Animal {
    sound() {
        return "woof";
    }
}
const rex = new Dog("Rex");
return [`${rex}`, rex instanceof Animal, String(new Animal())];
